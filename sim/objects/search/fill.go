package search

import (
	"maps"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/sim/objects"
)

// fill returns the ways to add what is missing at a place: the place itself, or one of its
// members.
func (f *fixer) fill(there bool) (all []option) {
	if !there {
		return f.fillAbsent()
	}
	is, _ := objects.Get(f.t.object, f.c.at)
	resolved, _ := f.definitions.Resolve(orEmpty(f.c.schema))
	switch v := is.(type) {
	case map[string]any:
		if resolved == nil || len(resolved.Properties) == 0 {
			break
		}
		names := slices.DeleteFunc(f.definitions.optional(resolved), func(name string) bool { return v[name] != nil })
		slices.SortStableFunc(names, func(x, y string) int { return order(!f.c.words.mentions(x)) - order(!f.c.words.mentions(y)) })
		for i, name := range names {
			all = append(all, f.fillMember(f.c.at, resolved, name, costOfValue*float64(i))...)
		}
		return append(all, f.fillBelow()...)
	}
	if f.c.schema == nil {
		return nil
	}
	if !f.t.onWay(f.c.at) {
		all = append(all, option{0, set(f.c.at, f.definitions.filled(f.c.schema, nameAt(f.c.at), 0))})
	}
	return append(all, f.otherValues()...)
}

func orEmpty(s *spec.Schema) *spec.Schema {
	if s == nil {
		return &spec.Schema{}
	}
	return s
}

func (f *fixer) fillMember(at objects.Location, schema *spec.Schema, name string, cost float64) (all []option) {
	property := schema.Properties[name]
	for i, v := range f.suggested(&property, at.With(name), nil) {
		if i < 3 && !f.definitions.saysNothing(&property, v) {
			all = append(all, option{cost + costOfSibling*float64(i), set(at.With(name), v)})
		}
	}
	return all
}

// fillAbsent adds the place that is missing, and the containers on the way.
func (f *fixer) fillAbsent() (all []option) {
	has := len(objects.Known(f.t.object, f.c.at))
	if has == len(f.c.at) {
		return nil
	}
	first := f.c.at[:has+1]
	schema, _ := f.kind.SchemaAt(f.t.object, first)
	if schema == nil {
		return nil
	}
	if has+1 < len(f.c.at) { // the least value of the container, and in it the member
		changes := func(u *attempt) bool {
			for n := has + 1; n <= len(f.c.at); n++ {
				if _, is := objects.Get(u.object, f.c.at[:n]); is {
					continue
				}
				s, _ := f.kind.SchemaAt(u.object, f.c.at[:n])
				if s == nil || !set(f.c.at[:n], f.definitions.filled(s, nameAt(f.c.at[:n]), 0))(u) {
					return false
				}
			}
			return true
		}
		return []option{{0, changes}}
	}
	all = f.fillBelow()
	v := f.definitions.filled(schema, nameAt(first), 0)
	all = append(all, option{0, set(first, v)})
	for i, v := range f.suggested(schema, first, f.c.values) {
		all = append(all, option{costOfValue * float64(i+1), set(first, v)})
	}
	return all
}

// insideOf returns the place below a container that holds the value which a message refuses:
// some servers name the list, and quote the value of an element.
func insideOf(object map[string]any, at objects.Location, message string) objects.Location {
	v, _ := objects.Get(object, at)
	m := refusedValue.FindStringSubmatch(message)
	if len(at) == 0 || m == nil || !isContainer(v) {
		return at
	}
	for _, other := range objects.Locations(object) {
		if v, _ := objects.Get(object, other); hasPrefix(other, at) && len(other) > len(at) && !isContainer(v) && objects.Literal(v) == m[2] {
			return other
		}
	}
	return at
}

func isContainer(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// fillBelow adds an entry to a map below a struct: some servers name a missing entry without
// the map that should have it.
func (f *fixer) fillBelow() (all []option) {
	named := objects.ParseLocation(f.c.Field)
	has := len(objects.Known(f.t.object, named))
	if schema, _ := f.kind.SchemaAt(f.t.object, named); schema != nil || len(named)-has > 2 || has == 0 {
		return nil
	}
	for n := has; n < len(named); n++ {
		schema, _ := f.kind.SchemaAt(f.t.object, named[:n])
		resolved, _ := f.definitions.Resolve(orEmpty(schema))
		if resolved == nil {
			continue
		}
		for _, member := range f.definitions.optional(resolved) {
			property := resolved.Properties[member]
			inner, _ := f.definitions.Resolve(&property)
			if inner == nil || len(inner.Properties) > 0 || inner.AdditionalProperties == nil || inner.AdditionalProperties.Schema == nil {
				continue
			}
			entry := map[string]any{named[len(named)-1]: f.definitions.filled(inner.AdditionalProperties.Schema, member, 1)}
			at := named[:n].With(member)
			all = append(all, option{0, func(u *attempt) bool {
				if _, is := objects.Get(u.object, named[:n]); !is && !set(named[:n], map[string]any{})(u) {
					return false
				}
				is, _ := objects.Get(u.object, at)
				whole := objects.Copy(entry)
				if entries, isMap := is.(map[string]any); isMap {
					for k, v := range entries {
						whole[k] = v
					}
				}
				return set(at, whole)(u)
			}})
		}
	}
	return all
}

// absentAt returns the place of a member that is missing, where the server names it by a path
// of its internal form: below the container with the same name, or in a struct that the published
// form has in between.
func (s *Search) absentAt(at objects.Location, field string) objects.Location {
	named := objects.ParseLocation(field)
	if _, is := objects.Get(s.now.object, at); is || len(named) < 2 {
		return at
	}
	if schema, _ := s.kind.SchemaAt(s.now.object, at); schema != nil {
		return at
	}
	if below := s.oneBelow(named); below != nil {
		return below
	}
	last, above := named[len(named)-1], named[len(named)-2]
	for _, other := range objects.Locations(s.now.object) {
		if other[len(other)-1] != above {
			continue
		}
		if schema, _ := s.kind.SchemaAt(s.now.object, other.With(last)); schema != nil {
			return other.With(last)
		}
	}
	return at
}

// oneBelow returns the place of a member in a struct between it and the container that a server names;
// nil if no struct there has it.
func (s *Search) oneBelow(named objects.Location) objects.Location {
	last := len(named) - 1
	container, _ := objects.Get(s.now.object, named[:last])
	fields, _ := container.(map[string]any)
	for _, between := range slices.Sorted(maps.Keys(fields)) {
		at := slices.Clone(named[:last]).With(between).With(named[last])
		if _, is := fields[between].(map[string]any); !is {
			continue
		}
		if schema, _ := s.kind.SchemaAt(s.now.object, at); schema != nil && !s.isMap(at[:last+1]) {
			return at
		}
	}
	return nil
}

// isMap reports whether a place is a map, in which any key would do.
func (s *Search) isMap(at objects.Location) bool {
	schema, _ := s.kind.SchemaAt(s.now.object, at)
	resolved, _ := s.definitions.Resolve(orEmpty(schema))
	return resolved == nil || len(resolved.Properties) == 0
}
