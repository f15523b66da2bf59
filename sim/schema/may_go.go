package schema

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// MayGo tells whether the kind publishes a path as one that a later release may be
// without: as a gated alpha, since somebody had to switch its gate on, or as deprecated,
// whose lifecycle says that it has never been stable. An alpha without a gate is there
// for everybody, and a beta may not go at once either. Where several components say
// how far a field has come, each has to let it go. What lies below a field goes with it.
func (k Gating) MayGo(p fieldpath.Path) bool { return mayGo(k.Lifecycles(p)) }

// Lacks tells where a path leaves what the kind declares: its shortest beginning that the
// kind does not declare; the whole path where it declares all.
func (k Kind) Lacks(p fieldpath.Path) fieldpath.Path {
	for i := range p {
		if !k.Declares(p[:i+1]) {
			return p[:i+1]
		}
	}
	return p
}

// MayGoWith tells whether a path is behind a gate, as the description of a field or the
// source of its type says, that is alpha: who used it has switched it on. Fields whose
// lifecycles are published are judged by these, in [Gating.MayGo].
func (k Gating) MayGoWith(alpha []string, p fieldpath.Path) bool {
	return !k.TellsLifecycles() && slices.ContainsFunc(k.Gates(p), func(gate string) bool { return slices.Contains(alpha, gate) })
}

func mayGo(said []Lifecycle) bool {
	goes := map[string]bool{}
	for _, l := range said {
		goes[l.Component] = goes[l.Component] || l.Status == Deprecated || l.Status == Alpha && l.FeatureGate != ""
	}
	for _, may := range goes {
		if !may {
			return false
		}
	}
	return len(goes) > 0
}
