package releases

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// Reached is how a release is asked for what a manifest makes: in its version or, where
// the release does not serve that, in the one that is followed.
func (k *Known) Reached(role term.Role, m plan.Manifest) (history.Resource, bool) {
	return k.Resource(role, k.ByRole[role].Said.AskedIn(m.APIVersion, m.Kind), m.Kind)
}

// Ours reports whether an object is a copy of the run's, in the version in which a
// release is asked for it: a kind that is served in two versions lists each object in
// both, and only in that one does it count.
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

// AskedIn is the version in which a release is asked for a copy.
func (k *Known) AskedIn(role term.Role, name string) string {
	m := k.Plan.Manifests[k.Copies[name].Manifest]
	return k.ByRole[role].Said.AskedIn(m.APIVersion, m.Kind)
}

// ShownAs are the copies that a release is asked for as a kind in a version.
func (k *Known) ShownAs(role term.Role, served history.Resource) (names []string) {
	for _, c := range k.Plan.Copies {
		if k.askedAs(role, c, served) {
			names = append(names, c.Name)
		}
	}
	return names
}

// OtherThan is a version where it is another than the manifest's own.
func OtherThan(m plan.Manifest, served history.Resource) string {
	if served.APIVersion == m.APIVersion {
		return ""
	}
	return served.APIVersion
}

// Owned are the collections of the run's own kinds, in the order of their paths.
func (k *Known) Owned(role term.Role) (paths []string) {
	for _, m := range k.Plan.Manifests {
		if r, ok := k.Reached(role, m); ok {
			paths = append(paths, client.Resource{APIVersion: r.APIVersion, Plural: r.Plural}.Collection())
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// AnyVersion reports whether an object is a copy of the run's, in whatever version
// it is shown.
func (k *Known) AnyVersion(name string, as history.Resource) bool {
	c, known := k.Copies[name]
	return known && k.Plan.Manifests[c.Manifest].Kind == as.Kind
}
