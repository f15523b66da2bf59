package oracle_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/result"
)

// The sentence says what happened to which field, in how many writes and whose doing it is,
// alike of what is expected; of a run that found nothing it says that.
func TestAnswer(t *testing.T) {
	run := twoLosses(t)
	want := "`.spec.shine` was lost in 2 of 2 writes, all by v1.0.0 servers; no rule was broken"
	res, _ := run.Judge()
	assert.Equal(t, want, res.Answer)
	run.History.Header.Plan.Expect = []scenarios.Expectation{lost(nil)}
	res, _ = run.Judge()
	assert.Equal(t, term.Pass, res.Verdict, res.Reason)
	assert.Equal(t, want, res.Answer, "of what is expected")

	res, _ = oracletest.NewQuiet(t).Judge()
	assert.Contains(t, res.Answer, "nothing was lost, changed or refused in ")
	assert.Contains(t, res.Answer, "no rule was broken")

	run = oracletest.NewQuiet(t)
	run.Change("bystander-1", ".spec.colour", nil)
	run.Observe()
	res, _ = run.Judge()
	assert.Contains(t, res.Answer, "rule-6 was broken")
	assert.NotContains(t, res.Answer, "untouched")
}

// TestAnswerOfRefusals: a refusal is the doing of the server that answered, whatever an older
// server or client did to the body before.
func TestAnswerOfRefusals(t *testing.T) {
	refused := func(client term.Client, via term.Role, cause term.Cause) result.Finding {
		return result.Finding{Outcome: term.Refused, Client: client, Read: term.Old, Via: via, Cause: cause}
	}
	h := oracletest.NewMixed(t).History
	for _, c := range []struct {
		want  string
		found []result.Finding
	}{
		{", all by v2.0.0 servers", []result.Finding{refused(term.OldTyped, term.New, term.ClientOmitted), refused(term.NewTyped, term.New, term.ReadHidden)}},
		{", all by v2.0.0 servers", []result.Finding{refused(term.OldTyped, term.New, term.ClientOmitted), refused(term.Dynamic, term.New, term.Unattributed)}},
		{", all by v2.0.0 servers", []result.Finding{refused(term.OldTyped, term.New, term.ClientOmitted), refused(term.OldApply, term.New, term.ReadHidden)}},
		{"", []result.Finding{refused(term.OldTyped, term.New, term.ClientOmitted), refused(term.OldTyped, term.Old, term.ReadHidden)}},
		{", all by v1.0.0 clients", []result.Finding{refused(term.OldTyped, term.New, term.Misread)}}, // the server answered with success
	} {
		assert.Equal(t, c.want, oracle.Doers(h, c.found), c.found)
	}
	lost := refused(term.NewTyped, term.New, term.ReadHidden)
	lost.Outcome = term.Lost
	assert.Equal(t, ", all by v1.0.0 servers", oracle.Doers(h, []result.Finding{lost}), "a loss is the doing of the server that hid the value")
}

// lossBesides is a run that lost a value of a treated copy, with a bystander beside it and
// with what else a test has become of others.
func lossBesides(t *testing.T, become func(run *oracletest.Run, edge int)) *oracletest.Run {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Create("bystander-1", oracletest.PlainSpec)
	run.Create("bystander-2", oracletest.PlainSpec)
	run.Patch("treated-1", oracletest.Via("b"))
	become(run, run.Observe())
	run.Stage("new", term.New, term.New)
	run.Observe()
	return run
}

// TestAnswerOfOthers: objects that do not use the change are untouched where nothing was
// found about them, nor about all objects of their kind. A kind is no object.
func TestAnswerOfOthers(t *testing.T) {
	still := func(run *oracletest.Run, _ int) {
		run.Patch("bystander-1", oracletest.Set(".spec.colour", "blue"), oracletest.Via("b"))
		run.Patch("bystander-2", oracletest.Set(".spec.colour", "blue"), oracletest.Via("a"))
	}
	for name, c := range map[string]struct {
		become    func(run *oracletest.Run, edge int)
		counts    bool // the new release counts generations
		untouched bool
		states    []term.Outcome
	}{
		"nothing": {become: func(*oracletest.Run, int) {}, untouched: true, states: []term.Outcome{term.Lost}},
		"a LIST is answered 500": {become: func(run *oracletest.Run, edge int) {
			oracletest.Fail(&run.Listing(edge, "b").Exchange, 500, "oops")
		}, states: []term.Outcome{term.Lost, term.Undecodable}},
		"the generation stands still": {become: still, counts: true, states: []term.Outcome{term.Lost, term.Varies}},
		"it stands still in both":     {become: still, untouched: true, states: []term.Outcome{term.Lost}},
	} {
		t.Run(name, func(t *testing.T) {
			run := lossBesides(t, func(run *oracletest.Run, edge int) {
				if c.counts {
					run.Behave(term.New, oracletest.CountGenerations(t))
				}
				c.become(run, edge)
			})
			res := run.Result()
			var states []term.Outcome
			for _, f := range res.Findings {
				states = append(states, f.Outcome)
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
	run := oracletest.NewQuiet(t)
	edge := run.Observe()
	oracletest.Fail(&run.Listing(edge, "b").Exchange, 500, "oops")
	assert.NotContains(t, run.Result().Answer, "object")
	step := run.DryRuns("bystander-1")
	oracletest.Fail(&run.DryRun(step, "bystander-1", "b", term.DeleteAttempt).Exchange, 500, "oops")
	answer := run.Result().Answer
	assert.Contains(t, answer, "1 object,")
	assert.NotContains(t, answer, "2 objects")
}

// TestAnswerWordsStates: the sentence has words of its own for every state.
func TestAnswerWordsStates(t *testing.T) {
	for _, e := range term.RunOutcomes() {
		assert.True(t, oracle.Worded(e.Word), e.Word)
	}
	assert.False(t, oracle.Worded("no-state"))

	run := oracletest.NewGateOff(t, false)
	run.Create("bystander-1", oracletest.LustreSpec, oracletest.Via("b"))
	run.Create("treated-1", oracletest.LustreSpec, oracletest.Via("b"))
	run.Observe()
	answer := run.Result().Answer
	assert.Contains(t, answer, "in 2 of 2 writes")
	assert.NotContains(t, answer, "untouched")
}
