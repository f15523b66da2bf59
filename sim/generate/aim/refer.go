package aim

import (
	"slices"

	"github.com/skewsim/skewsim/sim/generate"
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
		container, _ := generate.Get(f.t.object, f.c.at[:n])
		fields, isStruct := container.(map[string]any)
		if resolved == nil || !isStruct {
			continue
		}
		for _, member := range f.definitions.membersOf(resolved) {
			property := resolved.Properties[member]
			list, _ := f.definitions.Resolve(&property)
			if list == nil || list.Items == nil || list.Items.Schema == nil || !alike(member, f.c.at[n:]) || member == f.c.at[n] {
				continue
			}
			if f.definitions.Member(list.Items.Schema, "name") == nil {
				continue
			}
			others, _ := fields[member].([]any)
			element, isMap := f.definitions.distinct(list, others, member).(map[string]any)
			if isMap {
				element["name"] = name
				all = append(all, option{0, set(f.c.at[:n].With(member), append(slices.Clone(others), element))})
			}
		}
	}
	return all
}

// alike reports whether a name begins like one of others.
func alike(name string, others []string) bool {
	return slices.ContainsFunc(others, func(other string) bool {
		const most = 5
		return len(name) >= most && len(other) >= most && name[:most] == other[:most]
	})
}
