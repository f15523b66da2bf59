package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// What a client's types made of protobuf lacks what does not travel in it, such
// as the types of nested objects: that is no effect of a call, and no loss after
// a rollback. The same answer as JSON is.
func TestRulesCompareWhatCameAsItCame(t *testing.T) {
	for bytes, want := range map[string][]string{
		"digest": nil,
		"":       {`rule-2 violation rule-2 lost unattributed bystander-1 .spec.size in step 7 (upgrading 1/2)`},
	} {
		s := controlled(t)
		s.create("bystander-1", plainSpec)
		answer := s.recorded(s.patch("bystander-1", by(term.OldTyped)), history.Act, "a")
		answer.Answer, answer.AnswerBytes = s.bend(answer.Answer, ".spec.size", nil), bytes
		s.finds(want...)
	}
	for bytes, want := range map[string][]string{
		"digest": nil,
		"":       {`rule-6 violation rule-6 lost unattributed bystander-1 .spec.notes.by in step 10 (rolled-back)`},
	} {
		s := back(t, "bystander-1", func(*story) {})
		read := s.recorded(s.get("bystander-1", by(term.OldTyped)), history.Act, "a")
		read.Answer, read.AnswerBytes = s.bend(read.Answer, ".spec.notes.by", nil), bytes
		s.finds(want...)
	}
}

// What the servers themselves wrote between the last look and a call is not part of
// the call's doing: a watch shows how the call found it.
func TestRule2KnowsOwnWrites(t *testing.T) {
	story := func(t *testing.T, told bool) *story {
		s := controlled(t)
		s.create("bystander-1", plainSpec)
		s.store("bystander-1", ".spec.notes.by", "a controller")
		if told {
			s.eventOf(history.WatchModified, term.New, "bystander-1")
		}
		s.patch("bystander-1", by(term.OldTyped))
		return s
	}
	for told, judged := range map[bool]int{true: 4, false: 3} { // two copies as each release serves them, the birth, and the patch where it is known
		res, _ := story(t, told).judge()
		if c := check(t, res, term.CheckRule2); c.Judged != judged || c.Findings != 0 {
			t.Errorf("told %t: %+v", told, c)
		}
	}
}
