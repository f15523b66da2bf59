package evidence

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// Rule1Reference is what a call of the check must equal; 0: it is none of its.
func Rule1Reference(ev *Evidence, tl *trace.Timeline, at trace.StagedStep) int {
	if at.StageIndex == 0 || UsesChangeAt(ev.Calls, tl, at.Step.Number) || !ExistsFor(ev, tl, at.Step) {
		return 0
	}
	return ev.Calls.References[at.Signature]
}

// IsOldClient reports whether the client has the types of the old release, or of one before.
func IsOldClient(c term.Client) bool {
	role, typed := c.Role()
	return typed && role != term.New
}

// IsReference reports whether a step is of a time when nothing has changed yet: the first stage,
// but for that of a chain's way back, where new servers are left.
func IsReference(ev *Evidence, at trace.StagedStep) bool {
	return at.StageIndex == 0 && trace.FromOld(ev.Trace)
}

// Rule5Reference is the call on a copy that does not use the change; 0: the
// call is none of the check's. A birth sends other things than its reference.
func Rule5Reference(ev *Evidence, tl *trace.Timeline, at trace.StagedStep) int {
	if IsReference(ev, at) || CreatesCopy(at.Step) || !IsOldClient(at.Step.Client) || !UsesChangeAt(ev.Calls, tl, at.Step.Number) || !ExistsFor(ev, tl, at.Step) {
		return 0
	}
	if number := at.Step.Number; AsksAhead(ev, tl, number) || IsLed(ev, tl, number) { // whatever the object uses
		return 0
	}
	if before := ev.Calls.References[at.Signature]; before > 0 {
		return before
	}
	return ev.Calls.Plain[at.Signature]
}

// AsksAhead reports whether a call asks an old server for what the new release alone
// serves, of the client's own accord: a version that its line names, or a kind that the
// old release serves in no version. The version, or the kind, is the change, and a 404
// from a server without it is no harm. A client that takes the version which the new
// release prefers, of a kind that the old release serves as well, asks for nothing new:
// it was led there.
func AsksAhead(ev *Evidence, tl *trace.Timeline, number int) bool {
	step, act := ev.Steps[number].Step, ev.Acts[number]
	if step.APIVersion == "" || act.Role != term.Old || !MeetsUnserved(ev, tl, number) {
		return false
	}
	version := trace.VersionOf(tl, step)
	return ev.MayServeKind(term.New, version, tl.Manifest.Kind) && (step.Discovers == "" || !servesSomehow(ev, term.Old, version, tl.Manifest.Kind))
}

// Repeats reports whether the plan makes a call of some verb, on what does not use the
// change, in the first stage, where it is one of the steps, and again later.
func Repeats(ev *Evidence, steps []int, of func(term.Verb) bool) bool {
	plain := func(number int) bool {
		tl := TimelineOf(ev, number)
		return tl != nil && !UsesChangeAt(ev.Calls, tl, number) && of(ev.Steps[number].Step.Verb)
	}
	first := map[string]bool{}
	for _, number := range steps {
		if at := ev.Steps[number]; at.StageIndex == 0 && plain(number) {
			first[at.Signature] = true
		}
	}
	return slices.ContainsFunc(PlannedSteps(ev), func(number int) bool {
		at := ev.Steps[number]
		return at.StageIndex > 0 && first[at.Signature] && plain(number)
	})
}
