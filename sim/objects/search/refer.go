package search

import (
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/sim/objects"
)

// referred returns the ways to make what a reference names: an element of that name, in a list
// near the way whose name begins like one on it.
func (f *fixer) referred() (all []option) {
	name, is := scalarAt(f.t.object, f.c.at)
	if !is {
		return nil
	}
	for n := len(f.c.at) - 1; n >= 1; n-- {
		schema, _ := f.kind.SchemaAt(f.t.object, f.c.at[:n])
		resolved, _ := f.definitions.Resolve(orEmpty(schema))
		container, _ := objects.Get(f.t.object, f.c.at[:n])
		fields, isStruct := container.(map[string]any)
		if resolved == nil || !isStruct {
			continue
		}
		for _, member := range f.definitions.membersOf(resolved) {
			if property := resolved.Properties[member]; member != f.c.at[n] && IsAlike(member, f.c.at[n:]) {
				all = append(all, f.extended(f.c.at[:n].With(member), &property, fields[member], name)...)
			}
		}
	}
	return all
}

// extended adds an element, or an entry, of a name to a list or map.
func (f *fixer) extended(at objects.Location, schema *spec.Schema, is any, name string) []option {
	resolved, _ := f.definitions.Resolve(schema)
	switch {
	case resolved == nil:
	case resolved.Items != nil && resolved.Items.Schema != nil:
		others, _ := is.([]any)
		element, isMap := f.definitions.distinct(resolved, others, nameAt(at)).(map[string]any)
		if isMap && f.definitions.Member(resolved.Items.Schema, nameMember) != nil {
			element[nameMember] = name
			return []option{{0, set(at, append(slices.Clone(others), element))}}
		}
	case len(resolved.Properties) == 0 && resolved.AdditionalProperties != nil && resolved.AdditionalProperties.Schema != nil:
		entries, _ := is.(map[string]any)
		whole := map[string]any{name: f.definitions.filled(resolved.AdditionalProperties.Schema, nameAt(at), 1)}
		for key, v := range entries {
			whole[key] = v
		}
		return []option{{0, set(at, whole)}}
	}
	return nil
}

// nameMember is the member by which elements are referred to.
const nameMember = "name"

// IsAlike reports whether a name begins like one of others: what refers to an element is often
// named like the list.
func IsAlike(name string, others []string) bool {
	return slices.ContainsFunc(others, func(other string) bool {
		const most = 5
		return len(name) >= most && len(other) >= most && strings.EqualFold(name[:most], other[:most])
	})
}
