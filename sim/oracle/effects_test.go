package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// What a call fills in is held where two calls before the upgrade filled in the
// same; where they differ, or there is but one, it may be drawn anew each time.
func TestRule2HoldsWhatTwoCallsFilledIn(t *testing.T) {
	story := func(t *testing.T, one, two, now any) *story {
		s := tell(t)
		s.create("control-1", plainSpec, by(term.OldTyped))
		s.create("control-2", plainSpec, by(term.OldTyped), via("b"))
		filled := map[int]any{s.patch("control-1", by(term.OldTyped)): one, s.patch("control-2", by(term.OldTyped)): two}
		s.stage("upgrading 1/2", term.New, term.Old)
		s.create("bystander-1", plainSpec)
		filled[s.patch("bystander-1", by(term.OldTyped))] = now
		for step, v := range filled {
			if x := s.operation(step, history.Act); v != nil {
				x.Exchange.Answer = s.bend(x.Exchange.Answer, ".spec.notes.by", v)
			}
		}
		return s
	}
	const changed = `rule-2 violation rule-2 changed defaulted bystander-1 .spec.notes.by in step 8 (upgrading 1/2)`
	story(t, "A", "A", "A").finds()
	story(t, "A", "A", "B").finds(changed)
	story(t, "of control-1", "of control-2", "of another").finds(changed)
	story(t, "of control-1", "of control-2", "of bystander-1").finds()
	story(t, "30001", "30002", "30003").finds()
	story(t, "A", nil, "B").finds()
}

// What a call did is known from what the release that it called had shown before:
// where that is nothing, nothing is known.
func TestRule2OfAnEffectThatNothingShows(t *testing.T) {
	s := controlled(t)
	s.create("bystander-1", plainSpec, via("b"))
	s.patch("bystander-1", by(term.OldTyped))
	if c := check(t, s.finds(), term.CheckRule2); c.Indeterminate != 0 || c.Verdict != term.Pass {
		t.Errorf("the control: %+v", c)
	}

	s = controlled(t)
	s.blind = true
	s.create("bystander-1", plainSpec, via("b"))
	s.patch("bystander-1", by(term.OldTyped))
	verdict(t, check(t, s.finds(), term.CheckRule2), term.Unknown,
		"1 facts are indeterminate: the release that was called has not shown the object both before the call and after it")
}

// A LIST of an earlier step overlaps the call, and may show what that has done.
func TestRule2BesideAList(t *testing.T) {
	for _, late := range []bool{false, true} {
		s := controlled(t)
		s.create("bystander-1", plainSpec, via("b"))
		n := s.list("b")
		touched := s.patch("bystander-1", by(term.OldTyped))
		if late {
			l := s.listed(n, "b")
			for i := range l.Items {
				if l.Items[i].Copy == "bystander-1" {
					l.Items[i].Revision, l.Items[i].Answer = s.revision["bystander-1"], s.blob(s.served("bystander-1", term.Old))
				}
			}
		}
		if c := check(t, s.finds(), term.CheckRule2); c.Indeterminate != 0 || c.Verdict != term.Pass {
			t.Errorf("late %t: %+v", late, c)
		}
		x := s.operation(touched, history.Act)
		x.Exchange.Answer = s.bend(x.Exchange.Answer, ".spec.notes.by", "a default")
		s.finds(`rule-2 violation rule-2 changed defaulted bystander-1 .spec.notes.by in step 8 (upgrading 1/2)`)
	}
}

// What a call would do to a value is not told by one that found none there.
func TestRule2OfAValueThatWasNotThere(t *testing.T) {
	const noted = `{"colour": "red", "size": "1", "notes": {"by": "A"}}`
	story := func(t *testing.T, now string) *story {
		s := tell(t)
		s.create("control-1", noted, by(term.OldTyped))
		taken := s.patch("control-1", by(term.OldTyped))
		s.stage("upgrading 1/2", term.New, term.Old)
		s.create("bystander-1", now)
		s.patch("bystander-1", by(term.OldTyped))
		x := s.operation(taken, history.Act)
		x.Exchange.Answer = s.bend(x.Exchange.Answer, ".spec.notes.by", nil)
		return s
	}
	story(t, plainSpec).finds()
	story(t, noted).finds(`rule-2 violation rule-2 changed unattributed bystander-1 .spec.notes.by in step 6 (upgrading 1/2)`)
}

// Where the answer to a call is not as the server sent it, what the server shows next
// says what the call did.
func TestRule2OfWhatIsShownNext(t *testing.T) {
	for _, wrong := range []bool{true, false} {
		s := controlled(t)
		s.operation(4, history.Act).Exchange.AnswerBytes = "protobuf"
		s.create("bystander-1", plainSpec)
		step := s.patch("bystander-1", by(term.OldTyped))
		s.operation(step, history.Act).Exchange.AnswerBytes = "protobuf"
		if !wrong {
			s.finds()
			continue
		}
		look := s.recorded(step, history.Look, "a")
		look.Answer = s.bend(look.Answer, ".spec.notes.by", "a default")
		s.finds(`rule-2 violation rule-2 changed defaulted bystander-1 .spec.notes.by in step 7 (upgrading 1/2)`,
			`rule-2 violation rule-2 varies defaulted bystander-1 .spec.notes.by in step 7 (upgrading 1/2)`)
	}
}
