package blame

import (
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// MetUnreadable reports whether a call failed at an object that its release cannot decode,
// whatever is sent. That it also fails with an unknown field says nothing about fields.
func MetUnreadable(ev *trace.Evidence, tl *trace.Timeline, number int) bool {
	act := ev.Acts[number]
	return trace.OutcomeOf(act) == ruling.CannotRead && !ev.Steps[number].Step.CreatesCopy() &&
		(ev.Unread.Has(act.Role, ev.ValueAt(tl, number)) || UnreadBefore(ev, tl, act) != term.Unattributed)
}

// ReporterOf returns the check that reports a call without success, so that each is reported
// once. What a line declares of its answer comes first; then old clients, which must work without
// the change; then calls that succeeded before.
func ReporterOf(ev *trace.Evidence, number int) term.CheckName {
	at := ev.Steps[number]
	tl := trace.TimelineOf(ev, number)
	switch {
	case ev.Panicked(number):
		return term.CheckRule3
	case tl == nil || at.Step.Respond != nil:
		return term.CheckAnswers
	case at.Step.Verb.Lists() && trace.OutcomeOf(ev.Acts[number]) == ruling.CannotRead:
		return term.CheckEverythingDecodes
	case trace.Rule5Reference(ev, tl, at) > 0:
		return term.CheckRule5
	case trace.Rule1Reference(ev, tl, at) > 0:
		return term.CheckRule1
	case HarmsServer(ev, tl, number):
		return term.CheckRule3
	}
	return term.CheckAnswers
}

// HarmsServer reports whether a call that uses the change made a server without the change unable
// to answer.
func HarmsServer(ev *trace.Evidence, tl *trace.Timeline, number int) bool {
	x := ev.Acts[number].Exchange
	return !x.Succeeded() && trace.Answer(x).Ending().OfCall() == term.Failed && trace.SendsChange(ev, tl, number) && !MetUnreadable(ev, tl, number)
}
