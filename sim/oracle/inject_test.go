package oracle_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// Each defect that is written into the recorded run is found: state, cause and
// step. The copies are bystanders, so that nothing about them is expected.

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

// A value goes, or changes, with a touch and stays so.
func TestInjectedLossAndChange(t *testing.T) {
	t.Parallel()
	const image = `.spec.template.spec.containers[name="app"].image`
	cases := []struct {
		name, at string
		value    any
		want     string // state and path
	}{
		{"a value lost", ".spec.replicas", nil, "lost unattributed %s .spec.replicas"},
		{"a struct lost", ".spec.template.spec.volumes", nil, "lost unattributed %s .spec.template.spec.volumes"},
		{"an element lost", `.spec.template.spec.containers[name="app"].volumeMounts`, []any{},
			`lost unattributed %s .spec.template.spec.containers[name="app"].volumeMounts[mountPath="/scratch"]`},
		{"a value changed", image, "registry.invalid/app:2", "changed unattributed %s " + image},
	}
	base := playedOnce(t)
	for _, verb := range []term.Verb{term.Put, term.MergePatch, term.StatusPatch} {
		for _, via := range []term.Role{term.Old, term.New} {
			for _, c := range cases {
				t.Run(fmt.Sprintf("%s/via %s/%s", c.name, via, verb), func(t *testing.T) {
					s := base.fresh(t)
					step := s.touched("rolling-back 1/2", verb, via)
					s = s.about(step.Copy)
					s.everywhere(step, c.at, c.value)
					s.mustFind(fmt.Sprintf("nothing-lost violation rule-6 "+c.want+" in step %d (rolling-back 1/2)", step.Copy, step.Number))
				})
			}
		}
	}
}

// Only the old release's answers differ: the value is stored, and withheld.
func TestInjectedWithholding(t *testing.T) {
	t.Parallel()
	s := playedOnce(t)
	step := s.touched("rolling-back 1/2", term.MergePatch, term.New)
	s = s.about(step.Copy)
	s.bendFrom(step.Number, step.Copy, term.Old, ".spec.replicas", nil)
	s.mustFind(fmt.Sprintf("nothing-lost violation rule-6 hidden unattributed %s .spec.replicas in step %d (rolling-back 1/2)", step.Copy, step.Number))
}

func TestInjectedUndecodable(t *testing.T) {
	t.Parallel()
	s := playedOnce(t)
	step := s.touched("rolled-back", term.MergePatch, term.Old)
	s = s.about(step.Copy)
	before := s.fresh(t)
	fails(s.recorded(step.Number, history.Look, "b"), 500, "illegal tag 0")
	s.mustFind(fmt.Sprintf("everything-decodes violation storage undecodable unattributed %s  in step %d (rolled-back)", step.Copy, step.Number))

	s = before
	fails(s.recorded(step.Number, history.Look, "b"), 404, "not found")
	s.mustFind(fmt.Sprintf("everything-decodes violation storage lost unattributed %s  in step %d (rolled-back)", step.Copy, step.Number))
}

func TestInjectedList(t *testing.T) {
	t.Parallel()
	s := playedOnce(t).about()
	l := &s.h.Listings[len(s.h.Listings)-1]
	name := l.Items[3].Copy
	l.Items = slices.Delete(l.Items, 3, 4)
	s.mustFind(fmt.Sprintf("everything-decodes violation storage lost unattributed %s  in step %d (re-upgraded)", name, l.Step))

	s = playedOnce(t).about()
	l = &s.h.Listings[len(s.h.Listings)-1]
	l.Items = nil
	fails(&l.Exchange, 500, "illegal tag 0")
	s.mustFind(fmt.Sprintf("everything-decodes violation storage undecodable unattributed   in step %d (re-upgraded)", l.Step))
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
	c := check(t, res, term.NothingLost)
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

func TestInjectedOwnWrite(t *testing.T) {
	t.Parallel()
	s := playedOnce(t)
	name := s.touched("rolled-back", term.Put, term.Old).Copy
	s = s.about(name)
	before := s.fresh(t)
	s.ownWrite(name, ".spec.replicas", nil)
	s.mustFind(fmt.Sprintf("nothing-lost violation rule-6 lost unattributed %s .spec.replicas in step 0 ()", name))

	s = before
	s.ownWrite(name, ".metadata.annotations.note", "by a server")
	if res := s.result(); res.Verdict != term.Pass {
		t.Errorf("a write that loses nothing: %s: %s", res.Verdict, res.Reason)
	}
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

// The very causes are re-derived from the evidence: a loss through the old
// release that is said to have gone through the new one has no cause.
func TestInjectedOtherRelease(t *testing.T) {
	t.Parallel()
	s := playedOnce(t).about()
	res := s.result()
	f := res.Findings[slices.IndexFunc(res.Findings, func(f result.Finding) bool { return f.Verb == term.MergePatch && f.Cause == term.UnknownField })]
	for i := range s.h.Operations {
		if op := &s.h.Operations[i]; op.Step == f.Step && op.Purpose == history.Act {
			op.Role = term.New
		}
	}
	s.mustFind(fmt.Sprintf("nothing-lost impact rule-6 lost unattributed %s %s in step %d (%s)", f.Copy, f.Path, f.Step, f.Stage))
}
