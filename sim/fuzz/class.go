package fuzz

import (
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
)

// class is what must be made of a value that did not come back. The old release
// cannot keep what it does not know of the new one: rule-6 expects that. The new one
// has to keep what the old one took, but for what was published as one that may go.
func (t *traveller) class(through place, p fieldpath.Path) (term.Class, term.Rule) {
	if knows(t.releases[through.role], t.origin.resource.Kind, t.origin.apiVersion(), t.kind, p) {
		return term.Violation, ""
	}
	k, _ := t.releases[t.origin.role].schema.Kind(t.origin.apiVersion(), t.origin.resource.Kind)
	switch {
	case t.origin.role != term.Old || through.role != term.New || !k.Declares(p):
		return term.Impact, term.Rule6
	case isAlpha(t.origin.apiVersion()) || k.MayGo(p) || k.MayGoWith(t.releases[term.Old].alpha(), t.gone(through, p)):
		return term.Impact, term.Lifecycle
	}
	return term.Violation, term.Rule2
}

// gone is the field that a release lacks of a path, with all that is in it.
func (t *traveller) gone(through place, p fieldpath.Path) fieldpath.Path {
	for i := range p {
		if !knows(t.releases[through.role], t.origin.resource.Kind, t.origin.apiVersion(), t.kind, p[:i+1]) {
			return p[:i+1]
		}
	}
	return p
}

// isAlpha tells whether a version is one that may change in any release, and go.
func isAlpha(apiVersion string) bool {
	_, version, _ := strings.Cut(apiVersion, "/")
	return strings.Contains(version, "alpha")
}
