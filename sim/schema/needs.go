package schema

import (
	"maps"
	"slices"

	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// Needs lists, sorted, the feature gates that any of the kind's fields, or a value of
// one, is behind, whoever says so.
func (k Kind) Needs() []string {
	reached := map[string]bool{}
	k.reach(k.root, reached, 0)
	found := map[string]bool{}
	for at, guards := range k.gates {
		if reached[at.definition] {
			for _, g := range guards {
				found[g.Gate] = true
			}
		}
	}
	for at, values := range k.values {
		for _, guards := range values {
			for _, g := range guards {
				found[g.Gate] = found[g.Gate] || reached[at.definition]
			}
		}
	}
	maps.DeleteFunc(found, func(_ string, is bool) bool { return !is })
	for definition := range reached {
		for _, tag := range k.tags[definition] {
			for _, name := range tag.all() {
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
