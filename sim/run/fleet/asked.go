package fleet

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// Reached returns how a release is asked for the objects of a manifest: in its version or,
// if the release does not serve that, in the one that is followed.
func (k *Known) Reached(role term.Role, m plan.Manifest) (history.Resource, bool) {
	return k.Resource(role, k.ByRole[role].Said.AskedIn(m.APIVersion, m.Kind), m.Kind)
}

// Ours reports whether an object is a copy of the run, in the version in which a release is
// asked for it: a kind that is served in two versions lists each object in both, and it
// counts only in that one.
func (k *Known) Ours(role term.Role) func(name string, as history.Resource) bool {
	return func(name string, as history.Resource) bool {
		c, known := k.Copies[name]
		return known && k.askedAs(role, c, as)
	}
}

func (k *Known) askedAs(role term.Role, c plan.Copy, as history.Resource) bool {
	m := k.Plan.Manifests[c.Manifest]
	return m.Kind == as.Kind && k.ByRole[role].Said.AskedIn(m.APIVersion, m.Kind) == as.APIVersion
}

// AskedIn returns the version in which a release is asked for a copy.
func (k *Known) AskedIn(role term.Role, name string) string {
	m := k.Plan.Manifests[k.Copies[name].Manifest]
	return k.ByRole[role].Said.AskedIn(m.APIVersion, m.Kind)
}

// ShownAs returns the copies that a release is asked for as a kind in a version.
func (k *Known) ShownAs(role term.Role, served history.Resource) (names []string) {
	for _, c := range k.Plan.Copies {
		if k.askedAs(role, c, served) {
			names = append(names, c.Name)
		}
	}
	return names
}

// OtherThan returns a version if it differs from the manifest's own.
func OtherThan(m plan.Manifest, served history.Resource) string {
	if served.APIVersion == m.APIVersion {
		return ""
	}
	return served.APIVersion
}

// Owned returns the collections of the run's own kinds, ordered by path.
func (k *Known) Owned(role term.Role) (paths []string) {
	for _, m := range k.Plan.Manifests {
		if r, ok := k.Reached(role, m); ok {
			paths = append(paths, client.Resource{APIVersion: r.APIVersion, Plural: r.Plural}.Collection())
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// AnyVersion reports whether an object is a copy of the run, in any version.
func (k *Known) AnyVersion(name string, as history.Resource) bool {
	c, known := k.Copies[name]
	return known && k.Plan.Manifests[c.Manifest].Kind == as.Kind
}
