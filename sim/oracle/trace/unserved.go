package trace

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/schema"
)

// A server answers 404 for an API version in which it does not serve a kind, whatever is stored.
// So such a 404 is a fact about the version, never about the object.

// DoesNotServe reports whether a step asks a release for the copy in the copy's own version,
// which that release does not serve.
func DoesNotServe(ev *Evidence, role term.Role, tl *Timeline, number int) bool {
	told := ev.History.Releases[role].Version != "" // otherwise the run ended before the release was known
	return told && !OtherVersion(tl, ev.Steps[number].Step) &&
		!ev.Serves(role, history.Change{APIVersion: tl.Manifest.APIVersion, Kind: tl.Manifest.Kind})
}

// AsksUnservedVersion reports whether a step asks a release for a version that is not the copy's
// own and that the release does not serve, although it did before, or another release does.
func AsksUnservedVersion(ev *Evidence, role term.Role, tl *Timeline, number int) bool {
	step := ev.Steps[number].Step
	return OtherVersion(tl, step) && !ev.MayServeKind(role, step.APIVersion, tl.Manifest.Kind)
}

// MeetsUnserved reports whether a call was answered 404 because the server does not serve the
// kind in the requested version.
func MeetsUnserved(ev *Evidence, tl *Timeline, number int) bool {
	act := ev.Acts[number]
	return OutcomeOf(act) == ruling.Missing && (DoesNotServe(ev, act.Role, tl, number) || AsksUnservedVersion(ev, act.Role, tl, number))
}

// triesUnserved reports whether a dry run was answered 404 because the server does not serve the kind
// in the copy's version. That happens where a definition was not rolled back, or not upgraded: runs
// choose the copies that they try by the servers' own releases.
func triesUnserved(ev *Evidence, tl *Timeline, op history.Operation) bool {
	return OutcomeOf(op) == ruling.Missing && DoesNotServe(ev, op.Role, tl, op.Step)
}

// IsLed reports whether a call met such a 404 because its client took the version that discovery
// prefers.
func IsLed(ev *Evidence, tl *Timeline, number int) bool {
	return ev.Steps[number].Step.Discovers != "" && MeetsUnserved(ev, tl, number) && !AsksAhead(ev, tl, number)
}

// servesSomehow reports whether a release serves a kind of a group in any version.
func servesSomehow(ev *Evidence, role term.Role, apiVersion, kind string) bool {
	release := ev.History.Releases[role]
	return slices.ContainsFunc(slices.Concat(release.Resources, release.Elsewhere), func(r history.Resource) bool {
		return r.Kind == kind && schema.GroupOf(r.APIVersion) == schema.GroupOf(apiVersion)
	})
}

// UnservedText says which version a server that answered 404 does not serve; "" if it serves the
// requested one.
func UnservedText(ev *Evidence, tl *Timeline, number int) string {
	if !MeetsUnserved(ev, tl, number) {
		return ""
	}
	return fmt.Sprintf(", for %s does not serve %s", ev.History.Releases[ev.Acts[number].Role].Version, VersionOf(tl, ev.Steps[number].Step))
}
