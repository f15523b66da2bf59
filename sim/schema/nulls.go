package schema

import (
	"maps"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// Null is the semantic form of a null that a kind declares as a value.
const Null = "null"

// TakesNull reports whether the kind declares null as a value of a path: a server stores it then, and shows
// it.
func (k Kind) TakesNull(p fieldpath.Path) bool {
	if len(k.nulls) == 0 {
		return false
	}
	along := k.along(p)
	return len(along) == len(p) && len(along) > 0 && k.nulls[along[len(along)-1]]
}

// WithNullsOf returns the kind with the nulls that another release's form of it declares too.
func (k Kind) WithNullsOf(other Kind) Kind {
	if len(other.nulls) == 0 {
		return k
	}
	all := maps.Clone(other.nulls)
	maps.Copy(all, k.nulls)
	k.nulls = all
	return k
}

// nullsOf reads which fields, elements and entries of every definition may be null.
func nullsOf(definitions map[string]*spec.Schema) map[gated]bool {
	found := map[gated]bool{}
	eachValue(definitions, func(at gated, s *spec.Schema) {
		if s.Nullable {
			found[at] = true
		}
	})
	return found
}
