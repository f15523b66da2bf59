package schema

import (
	"maps"
	"slices"

	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// Needs lists, sorted, the feature gates that the kind's published form says any
// of its fields needs.
func (k Kind) Needs() []string {
	reached := map[string]bool{}
	k.reach(k.root, reached, 0)
	found := map[string]bool{}
	for at, names := range k.gates {
		if reached[at.definition] {
			for _, name := range names {
				found[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// reach notes the definitions that a type leads to.
func (k Kind) reach(ref smd.TypeRef, reached map[string]bool, depth int) {
	atom, name, known := k.resolve(ref)
	if !known || reached[name] || depth > maxDepth {
		return
	}
	if name != "" {
		reached[name] = true
	}
	if atom.List != nil {
		k.reach(atom.List.ElementType, reached, depth+1)
	}
	if atom.Map != nil {
		k.reach(atom.Map.ElementType, reached, depth+1)
		for _, field := range atom.Map.Fields {
			k.reach(field.Type, reached, depth+1)
		}
	}
}
