package trace

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Rule1Reference returns the call whose effect a call must repeat, 0 if rule-1 does not judge the
// call.
func Rule1Reference(ev *Evidence, tl *Timeline, at StagedStep) int {
	if at.StageIndex == 0 || UsesChangeAt(ev.Calls, tl, at.Step.Number) || !ExistsFor(ev, tl, at.Step) {
		return 0
	}
	return ev.Calls.References[at.Signature]
}

// IsOldClient reports whether the client has the types of the old release, or of an earlier one.
func IsOldClient(c term.Client) bool {
	role, typed := c.Role()
	return typed && role != term.New
}

// IsReference reports whether a step precedes the first change: it is of the first stage, and not
// of a chain's way back, which starts with new servers.
func IsReference(ev *Evidence, at StagedStep) bool {
	return at.StageIndex == 0 && FromOld(ev.Trace)
}

// Rule5Reference returns the same call on a copy that does not use the change, 0 if rule-5 does
// not judge the call. A creation sends other values than its reference.
func Rule5Reference(ev *Evidence, tl *Timeline, at StagedStep) int {
	if IsReference(ev, at) || at.Step.CreatesCopy() || !IsOldClient(at.Step.Client) || !UsesChangeAt(ev.Calls, tl, at.Step.Number) || !ExistsFor(ev, tl, at.Step) {
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

// AsksAhead reports whether a client by itself asks an old server for what only the new release
// serves: a version that its line names, or a kind that the old release serves in no version. The
// version, or the kind, is the change, and a 404 from a server without it is expected. A client
// that takes the preferred version of the new release, for a kind that the old release also
// serves, does not ask ahead: discovery led it there.
func AsksAhead(ev *Evidence, tl *Timeline, number int) bool {
	step, act := ev.Steps[number].Step, ev.Acts[number]
	if step.APIVersion == "" || act.Role != term.Old || !MeetsUnserved(ev, tl, number) {
		return false
	}
	version := VersionOf(tl, step)
	return ev.MayServeKind(term.New, version, tl.Manifest.Kind) && (step.Discovers == "" || !servesSomehow(ev, term.Old, version, tl.Manifest.Kind))
}

// Repeats reports whether one of the steps makes a call of some verb in the first stage, on a
// copy that does not use the change, and the plan makes it again later.
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
