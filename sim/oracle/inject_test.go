package oracle_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
)

// Defects that are written into the recorded run beside those of injections, and what
// writes them. The copies are bystanders, so that nothing about them is expected.

// touched is the first touch of a bystander with the verb at the stage,
// through the release.
func touched(run *oracletest.Run, stage string, verb term.Verb, via term.Role) plan.Step {
	run.T.Helper()
	var found plan.Step
	stepsOf(run, func(at string, step plan.Step, role term.CopyRole) {
		if found.Number == 0 && at == stage && step.Verb == verb && step.ViaRole == via && role == term.Bystander {
			found = step
		}
	})
	if found.Number == 0 {
		run.T.Fatalf("no %s of a bystander via %s at %s", verb, via, stage)
	}
	return found
}

func mustFind(run *oracletest.Run, want string) {
	run.T.Helper()
	res := found(run)
	if got := unexpected(res); got != want {
		run.T.Errorf("unexpected findings:\n%s\nwant:\n%s", got, want)
	}
	if res.Verdict != term.Fail {
		run.T.Errorf("%s: %s; want fail", res.Verdict, res.Reason)
	}
}

// An answer that carries another revision than the store's record has: nobody
// knows any more whose write that was, so the run does not pass.
func TestInjectedMisattribution(t *testing.T) {
	t.Parallel()
	run := recordedOnce(t)
	step := touched(run, "rolled-back", term.Put, term.Old)
	run = about(run, step.Copy)
	revision := run.Exchange(step.Number, history.Act, step.Via).Revision
	i := slices.IndexFunc(run.History.Changes, func(c history.Change) bool { return c.Revision == revision })
	run.History.Changes[i].Revision = lastRevision(run) + 1
	res := found(run)
	if got := unexpected(res); got != "" {
		t.Errorf("findings: %s", got)
	}
	c := oracletest.Check(t, res, term.CheckNothingLost)
	want := fmt.Sprintf("%d facts are indeterminate: the record of the store lacks revision %d, which an answer about %s carries", c.Indeterminate, revision, step.Copy)
	oracletest.ExpectVerdict(t, c, term.Unknown, want)
	if res.Verdict != term.Unknown {
		t.Errorf("%s: %s", res.Verdict, res.Reason)
	}
}

func lastRevision(run *oracletest.Run) int64 {
	last := int64(0)
	for _, c := range run.History.Changes {
		last = max(last, c.Revision)
	}
	return last
}

// ownWrite is a write that no step asked for, which the last LISTs show.
func ownWrite(run *oracletest.Run, name, at string, value any) int {
	revision := lastRevision(run) + 1
	i := slices.IndexFunc(run.History.Changes, func(c history.Change) bool { return len(c.Key) > len(name) && c.Key[len(c.Key)-len(name):] == name })
	change := run.History.Changes[i]
	change.Revision = revision
	run.History.Changes = append(run.History.Changes, change)
	last := run.History.Listings[len(run.History.Listings)-1].Step
	run.EditAnswers(last, name, "", at, value)
	for i := range run.History.Listings {
		for j := range run.History.Listings[i].Items {
			if item := &run.History.Listings[i].Items[j]; run.History.Listings[i].Step == last && item.Copy == name {
				item.Revision = revision
			}
		}
	}
	return last
}

// A touch that is refused, where it was not: the object is frozen.
func TestInjectedFrozenCopy(t *testing.T) {
	t.Parallel()
	run := recordedOnce(t)
	step := touched(run, "re-upgraded", term.MergePatch, term.New)
	run = about(run, step.Copy)
	freeze(run, step)
	mustFind(run, fmt.Sprintf("rule-1 violation rule-1 refused unattributed %s  in step %d (re-upgraded)", step.Copy, step.Number))
}

// freeze makes the touch one that was refused, and all that came after it as
// it was before.
func freeze(run *oracletest.Run, step plan.Step) {
	act := run.Exchange(step.Number, history.Act, step.Via)
	revision := act.Revision
	oracletest.Fail(act, 422, "spec: Forbidden")
	at := len(run.History.Listings) - 1 // the edge before, of the same release as both replicas now run
	for run.History.Listings[at].Step > step.Number {
		at--
	}
	before := run.History.Listings[at]
	i := slices.IndexFunc(before.Items, func(item history.Item) bool { return item.Copy == step.Copy })
	was := before.Items[i]
	for i := range run.History.Operations {
		if op := &run.History.Operations[i]; op.Copy == step.Copy && op.Exchange.Revision == revision {
			op.Exchange.Answer, op.Exchange.Revision = was.Answer, was.Revision
		}
	}
	for i := range run.History.Listings {
		for j := range run.History.Listings[i].Items {
			if item := &run.History.Listings[i].Items[j]; item.Copy == step.Copy && item.Revision == revision {
				*item = was
			}
		}
	}
	run.History.Changes = slices.DeleteFunc(run.History.Changes, func(c history.Change) bool { return c.Revision == revision })
	run.History.Watches = slices.DeleteFunc(run.History.Watches, func(w history.Watch) bool { return w.Revision == revision })
	run.History.Trials = slices.DeleteFunc(run.History.Trials, func(t history.Trial) bool { return t.Revision == revision })
}
