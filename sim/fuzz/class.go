package fuzz

import (
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
)

// class returns the class of a value that did not come back. The old release cannot keep a
// field that only the new one knows: rule-6 expects that. The new release has to keep what
// the old one accepted, except fields that were published as removable.
func (t *Trip) class(through Place, p fieldpath.Path) (term.Class, term.Rule) {
	if knows(t.Releases[through.Role], t.Origin.Resource.Kind, t.Origin.APIVersion(), t.Kind, p) {
		return term.Violation, ""
	}
	k, _ := t.Releases[t.Origin.Role].Schema.Kind(t.Origin.APIVersion(), t.Origin.Resource.Kind)
	switch {
	case t.Origin.Role != term.Old || through.Role != term.New || !k.Declares(p):
		return term.Impact, term.Rule6
	case isAlpha(t.Origin.APIVersion()) || k.Gating().MayGo(p) || k.Gating().MayGoWith(t.Releases[term.Old].Alpha(), t.gone(through, p)):
		return term.Impact, term.RuleLifecycle
	}
	return term.Violation, term.Rule2
}

// gone returns the part of a path that a release lacks, with everything in it.
func (t *Trip) gone(through Place, p fieldpath.Path) fieldpath.Path {
	for i := range p {
		if !knows(t.Releases[through.Role], t.Origin.Resource.Kind, t.Origin.APIVersion(), t.Kind, p[:i+1]) {
			return p[:i+1]
		}
	}
	return p
}

// isAlpha reports whether a version may change or be removed in any release.
func isAlpha(apiVersion string) bool {
	_, version, _ := strings.Cut(apiVersion, "/")
	return strings.Contains(version, "alpha")
}
