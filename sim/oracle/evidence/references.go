package evidence

import (
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// Rule1Reference is what a call of the check must equal; 0: it is none of its.
func Rule1Reference(tr *trace.Trace, tl *trace.Timeline, at trace.Place) int {
	if at.Index == 0 || UsesIn(tr.Calls, tl, at.Step.Number) || !There(tr, tl, at.Step) {
		return 0
	}
	return tr.Calls.Before[at.Sign]
}

// OldClient tells whether the client has the types of the old release, or of one before.
func OldClient(c term.Client) bool {
	role, typed := c.Role()
	return typed && role != term.New
}

// Before tells whether a step is of a time when nothing has changed yet: the first stage,
// but for that of a chain's way back, where new servers are left.
func Before(tr *trace.Trace, at trace.Place) bool { return at.Index == 0 && trace.FromOld(tr) }

// Rule5Reference is the call on a copy that does not use the change; 0: the
// call is none of the check's. A birth sends other things than its reference.
func Rule5Reference(tr *trace.Trace, tl *trace.Timeline, at trace.Place) int {
	if Before(tr, at) || Born(at.Step) || !OldClient(at.Step.Client) || !UsesIn(tr.Calls, tl, at.Step.Number) || !There(tr, tl, at.Step) {
		return 0
	}
	if number := at.Step.Number; AsksAhead(tr, tl, number) || IsLed(tr, tl, number) { // whatever the object uses
		return 0
	}
	if before := tr.Calls.Before[at.Sign]; before > 0 {
		return before
	}
	return tr.Calls.Plain[at.Sign]
}

// AsksAhead reports whether a call asks an old server for what the new release alone
// serves, of the client's own accord: a version that its line names, or a kind that the
// old release serves in no version. The version, or the kind, is the change, and a 404
// from a server without it is no harm. A client that takes the version which the new
// release prefers, of a kind that the old release serves as well, asks for nothing new:
// it was led there.
func AsksAhead(tr *trace.Trace, tl *trace.Timeline, number int) bool {
	step, act := tr.Steps[number].Step, tr.Acts[number]
	if step.APIVersion == "" || act.Role != term.Old || !MeetsUnserved(tr, tl, number) {
		return false
	}
	version := trace.VersionOf(tl, step)
	return tr.MayServeKind(term.New, version, tl.Manifest.Kind) && (step.Discovers == "" || !servesSomehow(tr, term.Old, version, tl.Manifest.Kind))
}
