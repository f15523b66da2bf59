package schema

import (
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// ListsValue reports whether the release publishes a list of the values that a path may have,
// and whether a value is in it. Most fields have no list, and a value that is in it need
// not be accepted: its gate may be off.
func (k Kind) ListsValue(p fieldpath.Path, value any) (listed, isIn bool) {
	along := k.along(p)
	if len(along) < len(p) || len(along) == 0 {
		return false, false
	}
	values := k.enums[along[len(along)-1]]
	return len(values) > 0, slices.Contains(values, value)
}

// enumsOf reads the lists of values in every definition of a document.
func enumsOf(definitions map[string]*spec.Schema) map[gated][]any {
	found := map[gated][]any{}
	eachValue(definitions, func(at gated, s *spec.Schema) {
		if len(s.Enum) > 0 {
			found[at] = s.Enum
		}
	})
	return found
}
