package search

import (
	"maps"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/sim/objects"
)

// structs returns structs: with required members, then with one more member each, the
// simplest ones first.
func (d schemas) structs(at *spec.Schema, name string, depth int) (all []any) {
	base := map[string]any{}
	for _, member := range at.Required {
		if property, has := at.Properties[member]; has {
			base[member] = d.filled(&property, member, depth+1)
		}
	}
	if len(base) > 0 {
		all = append(all, base)
	}
	var chosen []any // with an empty struct: a choice that says no more
	for i, member := range d.optional(at) {
		if i == maxMembers {
			break
		}
		property := at.Properties[member]
		v := d.filled(&property, member, depth+1)
		with := func(v any) any {
			whole := objects.Copy(base)
			whole[member] = v
			return whole
		}
		switch {
		case v == nil || d.saysNothing(&property, v):
		case objects.IsEmpty(v):
			chosen = append(chosen, with(v))
			if more := d.withOne(&property, depth+1); more != nil {
				all = append(all, with(more))
			}
		default:
			all = append(all, with(v))
		}
	}
	all = append(all, chosen...)
	if len(base) == 0 {
		all = append(all, base)
	}
	return all
}

// withOne returns a struct with its simplest member; nil if it has none that says anything.
func (d schemas) withOne(at *spec.Schema, depth int) any {
	resolved, _ := d.Resolve(at)
	if resolved == nil {
		return nil
	}
	for _, member := range d.optional(resolved) {
		property := resolved.Properties[member]
		if v := d.filled(&property, member, depth+1); v != nil && !objects.IsEmpty(v) {
			return map[string]any{member: v}
		}
	}
	return nil
}

// saysNothing reports whether a value says nothing: an empty list or map. An empty struct is a choice
// among the members of a union.
func (d schemas) saysNothing(at *spec.Schema, v any) bool {
	resolved, _ := d.Resolve(at)
	_, isMap := v.(map[string]any)
	isStruct := isMap && resolved != nil && resolved.AdditionalProperties == nil
	return objects.IsEmpty(v) && !isStruct
}

// optional returns the optional members of a struct, those with the simplest values first.
func (d schemas) optional(at *spec.Schema) []string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(at.Properties)), func(name string) bool { return slices.Contains(at.Required, name) })
	weight := func(name string) int {
		property := at.Properties[name]
		resolved, _ := d.Resolve(&property)
		switch {
		case resolved == nil:
			return 4
		case len(resolved.Properties) > 0:
			return 2 + order(len(resolved.Required) > 0)
		case resolved.Items != nil:
			return 2
		case len(resolved.Enum) > 0:
			return 0
		}
		return 1
	}
	slices.SortStableFunc(names, func(a, b string) int { return weight(a) - weight(b) })
	return names
}

// membersOf returns all members of a struct.
func (d schemas) membersOf(at *spec.Schema) []string {
	return append(slices.Clone(at.Required), d.optional(at)...)
}
