package search

import (
	"k8s.io/kube-openapi/pkg/validation/spec"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/sim/objects"
)

// assignments returns the fields that a message names, near the place that it complains about,
// each with the values that it names, or without the field: members of the containers on the
// way, of what is below the place, and of structs that could be beside the way.
func (f *fixer) assignments() (all []option) {
	if len(f.c.words) == 0 {
		return nil
	}
	reach := len(objects.Known(f.t.object, f.c.at))
	for n := reach; n >= 1; n-- {
		all = append(all, f.assignIn(f.c.at[:n], costOfLevel*float64(len(f.c.at)-n))...)
	}
	for _, at := range objects.Locations(f.t.object) {
		if hasPrefix(at, f.c.at) && len(at) > len(f.c.at) {
			all = append(all, f.assignIn(at, 0)...)
		}
	}
	return all
}

// assignIn returns the assignments to members of one struct.
func (f *fixer) assignIn(at objects.Location, cost float64) (all []option) {
	container, _ := objects.Get(f.t.object, at)
	schema, _ := f.kind.SchemaAt(f.t.object, at)
	resolved, _ := f.definitions.Resolve(orEmpty(schema))
	fields, is := container.(map[string]any)
	if !is || resolved == nil {
		return nil
	}
	all = f.assignTogether(at, resolved, fields, cost)
	for _, name := range f.definitions.membersOf(resolved) {
		member := at.With(name)
		property := resolved.Properties[name]
		switch {
		case f.t.onWay(member) && len(f.t.at) > len(member), hasPrefix(f.c.at, member), f.t.isWithinTarget(member) && f.value != nil:
		case f.c.words.mentions(name):
			all = append(all, f.assign(member, &property, fields[name], cost+costOfNamed(name))...)
		case fields[name] == nil:
			all = append(all, f.assignBeside(member, &property, cost+costOfLevel)...)
		}
	}
	return all
}

// assignTogether adds all members of one struct that a message names and the object lacks: a rule
// may ask for both of two.
func (f *fixer) assignTogether(at objects.Location, schema *spec.Schema, fields map[string]any, cost float64) []option {
	var together []change
	for _, name := range f.definitions.membersOf(schema) {
		if member := at.With(name); fields[name] == nil && f.c.words.mentions(name) && !f.t.isWithinTarget(member) {
			property := schema.Properties[name]
			together = append(together, set(member, f.definitions.filled(&property, name, 1)))
		}
	}
	if len(together) < 2 {
		return nil
	}
	return []option{{cost, every(together)}}
}

// costOfNamed is lower for a name that no sentence has by chance.
func costOfNamed(name string) float64 {
	if strings.ToLower(name) == name {
		return costOfAssign
	}
	return 0
}

// maxAssigned is how many values one field is given that a message names.
const maxAssigned = 5

func (f *fixer) assign(at objects.Location, schema *spec.Schema, is any, cost float64) (all []option) {
	if is != nil && !f.t.onWay(at) {
		all = append(all, option{cost + f.costOfDrop(at), without(at)})
	}
	for _, v := range f.assigned(at, schema) {
		if len(all) > maxAssigned {
			break
		}
		if objects.JSONText(v) != objects.JSONText(is) && !f.definitions.saysNothing(schema, v) {
			all = append(all, option{cost + costOfValue*float64(len(all)), set(at, v)})
		}
	}
	return all
}

// assigned returns values for a field that a complaint names: the value that the complaint is
// about may be what the field must have.
func (f *fixer) assigned(at objects.Location, schema *spec.Schema) []any {
	all := f.suggested(schema, at, f.c.values)
	resolved, _ := f.definitions.Resolve(schema)
	if text, is := scalarAt(f.t.object, f.c.at); is && resolved != nil && isScalarSchema(resolved) {
		if v, ok := parsedAs(resolved, text); ok && len(resolved.Enum) == 0 {
			all = append([]any{v}, all...)
		}
	}
	return all
}

// assignBeside returns assignments to members of a struct, or of an element of a list, that the
// object lacks as a whole.
func (f *fixer) assignBeside(at objects.Location, schema *spec.Schema, cost float64) (all []option) {
	resolved, _ := f.definitions.Resolve(schema)
	list := false
	if resolved != nil && resolved.Items != nil && resolved.Items.Schema != nil {
		resolved, _ = f.definitions.Resolve(resolved.Items.Schema)
		list = true
	}
	if resolved == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(resolved.Properties)) {
		property := resolved.Properties[name]
		if !f.c.words.mentions(name) || len(name) < 4 {
			continue
		}
		for i, v := range f.assigned(at.With(name), &property) {
			if i == 2 {
				break
			}
			made, _ := f.definitions.least(resolved, nameAt(at), 1).(map[string]any)
			if made == nil {
				made = map[string]any{}
			}
			made[name] = v
			var whole any = made
			if list {
				whole = []any{made}
			}
			all = append(all, option{cost + costOfNamed(name) + costOfValue*float64(i), set(at, whole)})
		}
	}
	return all
}
