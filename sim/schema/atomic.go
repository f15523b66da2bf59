package schema

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// Atomic tells whether the kind publishes what is at the path as one whole: a
// list or a map that whoever applies replaces, and owns, with all its members.
func (k Kind) Atomic(p fieldpath.Path) bool {
	atom, ok := k.at(p)
	if !ok {
		return false
	}
	return atom.List != nil && atom.List.ElementRelationship == smd.Atomic ||
		atom.Map != nil && atom.Map.ElementRelationship == smd.Atomic
}
