package oracle

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
)

// A server answers 404 of an API version in which it does not serve a kind, whatever is
// stored. So such a 404 is a fact about the version, and never one about the object.

// unserved reports whether a step asks a release for the copy in the copy's own
// version, which that release does not serve.
func (e *evidence) unserved(role term.Role, l *life, number int) bool {
	told := e.history.Releases[role].Version != "" // or the run ended before it could say
	return told && !otherVersion(l, e.steps[number].step) &&
		!e.serves(role, history.Change{APIVersion: l.manifest.APIVersion, Kind: l.manifest.Kind})
}

// misled reports whether a step asks a release for another version than the copy's
// own, which that release does not serve: it did before, or another one does.
func (e *evidence) misled(role term.Role, l *life, number int) bool {
	step := e.steps[number].step
	return otherVersion(l, step) && !e.mayServeKind(role, step.APIVersion, l.manifest.Kind)
}

// meetsUnserved reports whether a call was answered 404 because the server does not
// serve the kind in the version that the call asks for.
func (e *evidence) meetsUnserved(l *life, number int) bool {
	act := e.acts[number]
	return outcomeOf(act) == missing && (e.unserved(act.Role, l, number) || e.misled(act.Role, l, number))
}

// asksAhead reports whether a call asks an old server for what the new release alone
// serves, of the client's own accord: a version that its line names, or a kind that the
// old release serves in no version. The version, or the kind, is the change, and a 404
// from a server without it is no harm. A client that takes the version which the new
// release prefers, of a kind that the old release serves as well, asks for nothing new:
// it was led there.
func (e *evidence) asksAhead(l *life, number int) bool {
	step, act := e.steps[number].step, e.acts[number]
	if step.APIVersion == "" || act.Role != term.Old || !e.meetsUnserved(l, number) {
		return false
	}
	version := versionOf(l, step)
	return e.mayServeKind(term.New, version, l.manifest.Kind) && (step.Discovers == "" || !e.servesSomehow(term.Old, version, l.manifest.Kind))
}

// isLed reports whether a call met such a 404 because its client took the version that
// discovery prefers.
func (e *evidence) isLed(l *life, number int) bool {
	return e.steps[number].step.Discovers != "" && e.meetsUnserved(l, number) && !e.asksAhead(l, number)
}

// servesSomehow reports whether a release serves a kind of a group in any version.
func (e *evidence) servesSomehow(role term.Role, apiVersion, kind string) bool {
	release := e.history.Releases[role]
	return slices.ContainsFunc(slices.Concat(release.Resources, release.Elsewhere), func(r history.Resource) bool {
		return r.Kind == kind && schema.GroupOf(r.APIVersion) == schema.GroupOf(apiVersion)
	})
}

// unservedText says which version a server that answered 404 does not serve; "" where it
// serves the one that was asked for.
func (e *evidence) unservedText(l *life, number int) string {
	if !e.meetsUnserved(l, number) {
		return ""
	}
	return fmt.Sprintf(", for %s does not serve %s", e.history.Releases[e.acts[number].Role].Version, versionOf(l, e.steps[number].step))
}
