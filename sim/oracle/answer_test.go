package oracle_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle"
)

// The sentence says what happened to which field, in how many writes and whose doing it is,
// alike of what is expected; of a run that found nothing it says that.
func TestAnswer(t *testing.T) {
	s := twoLosses(t)
	want := "`.spec.shine` was lost in 2 of 2 writes, all by v1.0.0 servers; no rule was broken"
	res, _ := s.judge()
	assert.Equal(t, want, res.Answer)
	s.h.Header.Plan.Expect = []scenarios.Expectation{lost(nil)}
	res, _ = s.judge()
	assert.Equal(t, term.Pass, res.Verdict, res.Reason)
	assert.Equal(t, want, res.Answer, "of what is expected")

	res, _ = quiet(t).judge()
	assert.Contains(t, res.Answer, "nothing was lost, changed or refused in ")
	assert.Contains(t, res.Answer, "no rule was broken")

	s = quiet(t)
	s.store("bystander-1", ".spec.colour", nil)
	s.edge()
	res, _ = s.judge()
	assert.Contains(t, res.Answer, "rule-6 was broken")
	assert.NotContains(t, res.Answer, "untouched")
}

// lossBesides is a run that lost a value of a treated copy, with a bystander beside it and
// with what else a test has become of others.
func lossBesides(t *testing.T, become func(s *story, edge int)) *story {
	s := mixed(t)
	s.create("treated-1", onlyShine)
	s.create("bystander-1", plainSpec)
	s.create("bystander-2", plainSpec)
	s.patch("treated-1", via("b"))
	become(s, s.edge())
	s.stage("new", term.New, term.New)
	s.edge()
	return s
}

// TestAnswerOfOthers: objects that do not use the change are untouched where nothing was
// found about them, nor about all objects of their kind. A kind is no object.
func TestAnswerOfOthers(t *testing.T) {
	still := func(s *story, _ int) {
		s.patch("bystander-1", set(".spec.colour", "blue"), via("b"))
		s.patch("bystander-2", set(".spec.colour", "blue"), via("a"))
	}
	for name, c := range map[string]struct {
		become    func(s *story, edge int)
		counts    bool // the new release counts generations
		untouched bool
		states    []term.State
	}{
		"nothing": {become: func(*story, int) {}, untouched: true, states: []term.State{term.Lost}},
		"a LIST is answered 500": {become: func(s *story, edge int) {
			fails(&s.listed(edge, "b").Exchange, 500, "oops")
		}, states: []term.State{term.Lost, term.Undecodable}},
		"the generation stands still": {become: still, counts: true, states: []term.State{term.Lost, term.Varies}},
		"it stands still in both":     {become: still, untouched: true, states: []term.State{term.Lost}},
	} {
		t.Run(name, func(t *testing.T) {
			s := lossBesides(t, func(s *story, edge int) {
				if c.counts {
					s.thinks(term.New, counting(t))
				}
				c.become(s, edge)
			})
			res := s.result()
			var states []term.State
			for _, f := range res.Findings {
				states = append(states, f.State)
			}
			assert.ElementsMatch(t, c.states, states)
			assert.Equal(t, c.untouched, strings.Contains(res.Answer, "untouched"), res.Answer)
			assert.NotContains(t, res.Answer, "cannot be read (")
		})
	}
}

// TestAnswerOfKindAndObject: where one object and a whole kind are found to be in a state,
// the object is counted and the kind is not.
func TestAnswerOfKindAndObject(t *testing.T) {
	s := quiet(t)
	edge := s.edge()
	fails(&s.listed(edge, "b").Exchange, 500, "oops")
	assert.NotContains(t, s.result().Answer, "object")
	step := s.attempt("bystander-1")
	fails(&s.tried(step, "bystander-1", "b", term.DeleteAttempt).Exchange, 500, "oops")
	answer := s.result().Answer
	assert.Contains(t, answer, "1 object,")
	assert.NotContains(t, answer, "2 objects")
}

// TestAnswerWordsStates: the sentence has words of its own for every state.
func TestAnswerWordsStates(t *testing.T) {
	for _, e := range term.States() {
		assert.True(t, oracle.Worded(e.Word), e.Word)
	}
	assert.False(t, oracle.Worded("no-state"))

	s := switchedOff(t, false)
	s.create("bystander-1", lustrous, via("b"))
	s.create("treated-1", lustrous, via("b"))
	s.edge()
	answer := s.result().Answer
	assert.Contains(t, answer, "in 2 of 2 writes")
	assert.NotContains(t, answer, "untouched")
}
