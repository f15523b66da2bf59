package schema

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// Types that are generated from a schema, or a schema from them, decode each value into one Go type.
// A value of another JSON type makes the whole object unreadable, and every list that holds it.

// jsonType is the type that a release publishes of a place, where it publishes one.
type jsonType struct {
	name string // object, array, string, integer, number, boolean
	// narrow reports an integer of 32 bits.
	narrow bool
	// opaque reports a whole object of some other kind, which is decoded later.
	opaque bool
}

// The extensions of schemas that take more than their type says.
const (
	preservesUnknown = "x-kubernetes-preserve-unknown-fields"
	embedsResource   = "x-kubernetes-embedded-resource"
	intOrString      = "x-kubernetes-int-or-string"
)

// jsonTypesOf reads the types of every place in the definitions of a document.
func jsonTypesOf(definitions map[string]*spec.Schema) map[gated]jsonType {
	found := map[gated]jsonType{}
	for name, definition := range definitions {
		noteTypes(gated{name, ""}, definition, found, 0)
	}
	return found
}

func noteTypes(at gated, s *spec.Schema, into map[gated]jsonType, depth int) {
	if s == nil || depth > maxDepth {
		return
	}
	if t := jsonTypeOf(s); t != (jsonType{}) {
		into[at] = t
	}
	for name, field := range s.Properties {
		noteTypes(gated{at.definition, at.place + "." + name}, &field, into, depth+1)
	}
	members := gated{at.definition, at.place + "[]"}
	if s.Items != nil {
		noteTypes(members, s.Items.Schema, into, depth+1)
	}
	if s.AdditionalProperties != nil {
		noteTypes(members, s.AdditionalProperties.Schema, into, depth+1)
	}
}

// jsonTypeOf returns the type of a schema that takes no other; the zero type if it states none, or
// more than one.
func jsonTypeOf(s *spec.Schema) jsonType {
	is := func(extension string) bool { return s.Extensions[extension] == true }
	switch {
	case is(embedsResource):
		return jsonType{opaque: true}
	case len(s.Type) != 1 || is(intOrString) || is(preservesUnknown) || len(s.OneOf)+len(s.AnyOf) > 0 && statesTypes(s):
		return jsonType{}
	}
	return jsonType{name: s.Type[0], narrow: s.Type[0] == "integer" && s.Format == "int32"}
}

// statesTypes reports whether alternatives of a schema state types.
func statesTypes(s *spec.Schema) bool {
	return slices.ContainsFunc(slices.Concat(s.OneOf, s.AnyOf), func(one spec.Schema) bool { return len(one.Type) > 0 })
}

// Misfit is a value that types of a release cannot hold.
type Misfit struct {
	Path fieldpath.Path
	// Is is the JSON type of the value, and Wants the type that the release publishes.
	Is, Wants string
}

// Misfit returns the first value of an object whose JSON type is not the one that the kind
// publishes there: a client with the kind's types cannot decode the object. Null and absent values
// fit everywhere, a number without fraction fits an integer, and what the kind does not publish fits.
func (k Kind) Misfit(object map[string]any) (Misfit, bool) {
	f := fitter{kind: k}
	f.visit(object, k.root, gated{}, nil)
	if f.found == nil {
		return Misfit{}, false
	}
	return *f.found, true
}

type fitter struct {
	kind  Kind
	found *Misfit
}

func (f *fitter) visit(v any, ref smd.TypeRef, place gated, at fieldpath.Path) {
	atom, name, known := f.kind.resolve(ref)
	if !known || v == nil || f.found != nil || len(at) > maxDepth {
		return
	}
	if name != "" {
		place = gated{name, ""}
	}
	wants := f.kind.types[place]
	switch is := jsonTypeName(v); {
	case wants.opaque:
		return
	case wants.name != "" && !wants.takes(v):
		f.found = &Misfit{Path: at, Is: is, Wants: wants.text()}
		return
	}
	switch t := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(t)) {
			if to, declared := member(atom.Map, key); declared {
				e := fieldpath.PathElement{FieldName: &key}
				f.visit(t[key], to, below(place, atom, e), extend(at, e))
			}
		}
	case []any:
		if atom.List == nil {
			return
		}
		named := (&walker{kind: f.kind}).elements(t, atom.List)
		for i, item := range t {
			f.visit(item, atom.List.ElementType, below(place, atom, named[i]), extend(at, named[i]))
		}
	}
}

func below(at gated, atom smd.Atom, e fieldpath.PathElement) gated {
	return gated{at.definition, at.place + place(atom, e)}
}

// jsonTypeName returns the JSON type of a value.
func jsonTypeName(v any) string {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "bool"
	}
	return "number"
}

// takes reports whether a Go value of the type can hold a value.
func (t jsonType) takes(v any) bool {
	switch is := jsonTypeName(v); t.name {
	case "object", "array", "string":
		return is == t.name
	case "boolean":
		return is == "bool"
	case "number":
		return is == "number"
	case "integer":
		return is == "number" && t.holds(v)
	}
	return true
}

// holds reports whether an integer type holds a number.
func (t jsonType) holds(v any) bool {
	n, err := asFloat(v)
	return err != nil || n == math.Trunc(n) && (!t.narrow || n >= math.MinInt32 && n <= math.MaxInt32)
}

func asFloat(v any) (float64, error) {
	switch n := v.(type) {
	case int64:
		return float64(n), nil
	case int:
		return float64(n), nil
	case float64:
		return n, nil
	}
	return 0, fmt.Errorf("%T is no number", v)
}

// text returns the type as Go's decoder names what it decodes into.
func (t jsonType) text() string {
	switch {
	case t.narrow:
		return "int32"
	case t.name == "integer":
		return "int64"
	case t.name == "number":
		return "float64"
	case t.name == "boolean":
		return "bool"
	}
	return t.name
}
