package run

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// reached is how a release is asked for what a manifest makes: in its version or, where
// the release does not serve that, in the one that is followed.
func (k *known) reached(role term.Role, m plan.Manifest) (history.Resource, bool) {
	return k.resource(role, k.byRole[role].said.AskedIn(m.APIVersion, m.Kind), m.Kind)
}

// ours reports whether an object is a copy of the run's, in the version in which a
// release is asked for it: a kind that is served in two versions lists each object in
// both, and only in that one does it count.
func (k *known) ours(role term.Role) func(name string, as history.Resource) bool {
	return func(name string, as history.Resource) bool {
		c, known := k.copies[name]
		return known && k.askedAs(role, c, as)
	}
}

func (k *known) askedAs(role term.Role, c plan.Copy, as history.Resource) bool {
	m := k.plan.Manifests[c.Manifest]
	return m.Kind == as.Kind && k.byRole[role].said.AskedIn(m.APIVersion, m.Kind) == as.APIVersion
}

// askedIn is the version in which a release is asked for a copy.
func (k *known) askedIn(role term.Role, name string) string {
	m := k.plan.Manifests[k.copies[name].Manifest]
	return k.byRole[role].said.AskedIn(m.APIVersion, m.Kind)
}

// shownAs are the copies that a release is asked for as a kind in a version.
func (k *known) shownAs(role term.Role, served history.Resource) (names []string) {
	for _, c := range k.plan.Copies {
		if k.askedAs(role, c, served) {
			names = append(names, c.Name)
		}
	}
	return names
}

// otherThan is a version where it is another than the manifest's own.
func otherThan(m plan.Manifest, served history.Resource) string {
	if served.APIVersion == m.APIVersion {
		return ""
	}
	return served.APIVersion
}

// owned are the collections of the run's own kinds, in the order of their paths.
func (k *known) owned(role term.Role) (paths []string) {
	for _, m := range k.plan.Manifests {
		if r, ok := k.reached(role, m); ok {
			paths = append(paths, client.Resource{APIVersion: r.APIVersion, Plural: r.Plural}.Collection())
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// anyVersion reports whether an object is a copy of the run's, in whatever version
// it is shown.
func (k *known) anyVersion(name string, as history.Resource) bool {
	c, known := k.copies[name]
	return known && k.plan.Manifests[c.Manifest].Kind == as.Kind
}
