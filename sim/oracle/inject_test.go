package oracle_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// Defects that are written into the recorded run beside those of injections, and what
// writes them. The copies are bystanders, so that nothing about them is expected.

// touched is the first touch of a bystander with the verb at the stage,
// through the release.
func (s *story) touched(stage string, verb term.Verb, via term.Role) plan.Step {
	s.t.Helper()
	var found plan.Step
	s.stepsOf(func(at string, step plan.Step, role term.CopyRole) {
		if found.Number == 0 && at == stage && step.Verb == verb && step.ViaRole == via && role == term.Bystander {
			found = step
		}
	})
	if found.Number == 0 {
		s.t.Fatalf("no %s of a bystander via %s at %s", verb, via, stage)
	}
	return found
}

// bendFrom changes what answers show of a copy, from a step on. Role "" is
// either release.
func (s *story) bendFrom(step int, name string, role term.Role, at string, value any) {
	for i := range s.h.Operations {
		op := &s.h.Operations[i]
		if op.Copy == name && op.Step >= step && op.Exchange.Answer != "" && (op.Purpose == history.Act || op.Purpose == history.Look) && (role == "" || op.Role == role) {
			op.Exchange.Answer = s.bend(op.Exchange.Answer, at, value)
		}
	}
	for i := range s.h.Listings {
		if l := &s.h.Listings[i]; l.Step >= step && (role == "" || l.Role == role) {
			for j := range l.Items {
				if l.Items[j].Copy == name {
					l.Items[j].Answer = s.bend(l.Items[j].Answer, at, value)
				}
			}
		}
	}
}

func (s *story) mustFind(want string) {
	s.t.Helper()
	res := s.result()
	if got := unexpected(res); got != want {
		s.t.Errorf("unexpected findings:\n%s\nwant:\n%s", got, want)
	}
	if res.Verdict != term.Fail {
		s.t.Errorf("%s: %s; want fail", res.Verdict, res.Reason)
	}
}

// An answer that carries another revision than the store's record has: nobody
// can tell any more whose write that was, so the run does not pass.
func TestInjectedMisattribution(t *testing.T) {
	t.Parallel()
	s := playedOnce(t)
	step := s.touched("rolled-back", term.Put, term.Old)
	s = s.about(step.Copy)
	revision := s.recorded(step.Number, history.Act, step.Via).Revision
	i := slices.IndexFunc(s.h.Changes, func(c history.Change) bool { return c.Revision == revision })
	s.h.Changes[i].Revision = s.lastRevision() + 1
	res := s.result()
	if got := unexpected(res); got != "" {
		t.Errorf("findings: %s", got)
	}
	c := check(t, res, term.CheckNothingLost)
	want := fmt.Sprintf("%d facts are indeterminate: the record of the store lacks revision %d, which an answer about %s carries", c.Indeterminate, revision, step.Copy)
	verdict(t, c, term.Unknown, want)
	if res.Verdict != term.Unknown {
		t.Errorf("%s: %s", res.Verdict, res.Reason)
	}
}

func (s *story) lastRevision() int64 {
	last := int64(0)
	for _, c := range s.h.Changes {
		last = max(last, c.Revision)
	}
	return last
}

// ownWrite is a write that no step asked for, which the last LISTs show.
func (s *story) ownWrite(name, at string, value any) int {
	revision := s.lastRevision() + 1
	i := slices.IndexFunc(s.h.Changes, func(c history.Change) bool { return len(c.Key) > len(name) && c.Key[len(c.Key)-len(name):] == name })
	change := s.h.Changes[i]
	change.Revision = revision
	s.h.Changes = append(s.h.Changes, change)
	last := s.h.Listings[len(s.h.Listings)-1].Step
	s.bendFrom(last, name, "", at, value)
	for i := range s.h.Listings {
		for j := range s.h.Listings[i].Items {
			if item := &s.h.Listings[i].Items[j]; s.h.Listings[i].Step == last && item.Copy == name {
				item.Revision = revision
			}
		}
	}
	return last
}

// A touch that is refused, where it was not: the object is frozen.
func TestInjectedFrozenCopy(t *testing.T) {
	t.Parallel()
	s := playedOnce(t)
	step := s.touched("re-upgraded", term.MergePatch, term.New)
	s = s.about(step.Copy)
	s.freeze(step)
	s.mustFind(fmt.Sprintf("rule-1 violation rule-1 refused unattributed %s  in step %d (re-upgraded)", step.Copy, step.Number))
}

// freeze makes the touch one that was refused, and all that came after it as
// it was before.
func (s *story) freeze(step plan.Step) {
	act := s.recorded(step.Number, history.Act, step.Via)
	revision := act.Revision
	fails(act, 422, "spec: Forbidden")
	at := len(s.h.Listings) - 1 // the edge before, of the same release as both replicas now run
	for s.h.Listings[at].Step > step.Number {
		at--
	}
	before := s.h.Listings[at]
	i := slices.IndexFunc(before.Items, func(item history.Item) bool { return item.Copy == step.Copy })
	was := before.Items[i]
	for i := range s.h.Operations {
		if op := &s.h.Operations[i]; op.Copy == step.Copy && op.Exchange.Revision == revision {
			op.Exchange.Answer, op.Exchange.Revision = was.Answer, was.Revision
		}
	}
	for i := range s.h.Listings {
		for j := range s.h.Listings[i].Items {
			if item := &s.h.Listings[i].Items[j]; item.Copy == step.Copy && item.Revision == revision {
				*item = was
			}
		}
	}
	s.h.Changes = slices.DeleteFunc(s.h.Changes, func(c history.Change) bool { return c.Revision == revision })
	s.h.Watches = slices.DeleteFunc(s.h.Watches, func(w history.Watch) bool { return w.Revision == revision })
	s.h.Trials = slices.DeleteFunc(s.h.Trials, func(t history.Trial) bool { return t.Revision == revision })
}
