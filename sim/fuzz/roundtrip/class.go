package roundtrip

import (
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
)

// class is what must be made of a value that did not come back. The old release
// cannot keep what it does not know of the new one: rule-6 expects that. The new one
// has to keep what the old one took, but for what was published as one that may go.
func (t *Trip) class(through Place, p fieldpath.Path) (term.Class, term.Rule) {
	if knows(t.Releases[through.Role], t.Origin.Resource.Kind, t.Origin.APIVersion(), t.Kind, p) {
		return term.Violation, ""
	}
	k, _ := t.Releases[t.Origin.Role].Schema.Kind(t.Origin.APIVersion(), t.Origin.Resource.Kind)
	switch {
	case t.Origin.Role != term.Old || through.Role != term.New || !k.Declares(p):
		return term.Impact, term.Rule6
	case isAlpha(t.Origin.APIVersion()) || k.Gating().MayGo(p) || k.Gating().MayGoWith(t.Releases[term.Old].Alpha(), t.gone(through, p)):
		return term.Impact, term.Lifecycle
	}
	return term.Violation, term.Rule2
}

// gone is the field that a release lacks of a path, with all that is in it.
func (t *Trip) gone(through Place, p fieldpath.Path) fieldpath.Path {
	for i := range p {
		if !knows(t.Releases[through.Role], t.Origin.Resource.Kind, t.Origin.APIVersion(), t.Kind, p[:i+1]) {
			return p[:i+1]
		}
	}
	return p
}

// isAlpha reports whether a version is one that may change in any release, and go.
func isAlpha(apiVersion string) bool {
	_, version, _ := strings.Cut(apiVersion, "/")
	return strings.Contains(version, "alpha")
}
