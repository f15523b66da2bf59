package fuzz

import (
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
)

// value returns what the releases publish of a value that goes through a place. The old release cannot keep a
// field that only the new one knows; the new one has to keep what the old one accepted, except fields that were
// published as removable.
func (t *Trip) value(through Place, p fieldpath.Path) ruling.Value {
	v := ruling.Value{Custom: t.Releases[through.Role].Installed, Published: map[term.Role]bool{
		through.Role: knows(t.Releases[through.Role], t.Origin.Resource.Kind, t.Origin.APIVersion(), t.Kind, p),
	}}
	if through.Role == term.New && t.Origin.Role == term.Old && !v.Published[term.New] {
		k, _ := t.Releases[t.Origin.Role].Schema.Kind(t.Origin.APIVersion(), t.Origin.Resource.Kind)
		v.Published[term.Old] = k.Declares(p)
		v.Removable = isAlpha(t.Origin.APIVersion()) || k.Gating().MayGo(p) || k.Gating().MayGoWith(t.Releases[term.Old].Alpha(), t.gone(through, p))
	}
	return v
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
