package schema

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// Atomic reports whether the kind publishes the path as atomic: a list or a map that an apply
// replaces and owns as a whole.
func (k Kind) Atomic(p fieldpath.Path) bool {
	atom, ok := k.at(p)
	if !ok {
		return false
	}
	return atom.List != nil && atom.List.ElementRelationship == smd.Atomic ||
		atom.Map != nil && atom.Map.ElementRelationship == smd.Atomic
}
