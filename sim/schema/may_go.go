package schema

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// MayGo reports whether the kind publishes a path as one that a later release may remove: as a
// gated alpha field, because somebody had to switch its gate on, or as deprecated with a
// lifecycle that says it was never stable. An alpha field without a gate is available to
// everybody, and a beta field may not be removed at once either. If several components publish
// a lifecycle, each of them has to permit the removal. Fields below a removed field may be
// removed with it.
func (k Gating) MayGo(p fieldpath.Path) bool { return mayGo(k.Lifecycles(p)) }

// Lacks returns the shortest prefix of a path that the kind does not declare, or the whole path
// if it declares all of it.
func (k Kind) Lacks(p fieldpath.Path) fieldpath.Path {
	for i := range p {
		if !k.Declares(p[:i+1]) {
			return p[:i+1]
		}
	}
	return p
}

// MayGoWith reports whether a path is behind an alpha gate, according to a field's description
// or the source of its type: its users have switched the gate on. Fields with a published
// lifecycle are judged by [Gating.MayGo].
func (k Gating) MayGoWith(alpha []string, p fieldpath.Path) bool {
	return !k.PublishesLifecycles() && slices.ContainsFunc(k.Gates(p), func(gate string) bool { return slices.Contains(alpha, gate) })
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
