package object

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// OpenAPIModelName returns the kind's name in published schemas. It derives
// com.example.v1.Widget from the spec's com.example.v1.WidgetSpec.
func (Object[S, T]) OpenAPIModelName() string { return modelName[S]() }

// OpenAPIModelName returns the list's name in published schemas.
func (List[S, T]) OpenAPIModelName() string { return modelName[S]() + "List" }

func modelName[S any]() string {
	var s S
	namer, ok := any(s).(interface{ OpenAPIModelName() string })
	if !ok {
		panic(fmt.Sprintf("object: %T: no OpenAPIModelName: the spec's struct, or one it embeds, needs the method", s))
	}
	return strings.TrimSuffix(namer.OpenAPIModelName(), "Spec")
}

// models describes structs as the generators of OpenAPI definitions do.
type models struct {
	kind  string // com.example.v1.Widget
	ref   common.ReferenceCallback
	names map[reflect.Type]string // of ours
	made  map[string]common.OpenAPIDefinition
}

// Definitions describes an Object and its List (pointers to either), with all nested types that
// no library describes.
func Definitions(ref common.ReferenceCallback, kinds ...any) map[string]common.OpenAPIDefinition {
	return describe(ref, kinds).made
}

// Names returns the names of the structs in the result of Definitions.
func Names(kinds ...any) map[reflect.Type]string {
	return describe(func(string) spec.Ref { return spec.Ref{} }, kinds).names
}

func describe(ref common.ReferenceCallback, kinds []any) *models {
	m := &models{ref: ref, names: map[reflect.Type]string{}, made: map[string]common.OpenAPIDefinition{}}
	for _, kind := range kinds {
		t := reflect.TypeOf(kind).Elem()
		m.kind = strings.TrimSuffix(named(t), "List")
		m.describe(t)
	}
	return m
}

// named returns the name that a type's own method returns, or "".
func named(t reflect.Type) string {
	if n, ok := reflect.New(t).Interface().(interface{ OpenAPIModelName() string }); ok {
		return n.OpenAPIModelName()
	}
	return ""
}

// published reports whether a library describes the type: it has a name, and is not one of our
// generic types.
func published(t reflect.Type) bool {
	return strings.HasPrefix(t.PkgPath(), "k8s.io/") && named(t) != ""
}

// name returns the name of a struct. A struct that embeds another has the other's name,
// whatever its Go name is: it is a later form of the same type.
func (m *models) name(t reflect.Type) string {
	if name := m.names[t]; name != "" {
		return name
	}
	if name := named(t); name != "" {
		return name
	}
	for t.NumField() > 0 && newMember(t.Field(0)).inlined() {
		t = t.Field(0).Type
	}
	return m.kind[:strings.LastIndex(m.kind, ".")+1] + t.Name()
}

func (m *models) describe(t reflect.Type) string {
	if published(t) {
		return named(t)
	}
	name := m.name(t)
	if _, done := m.made[name]; done {
		return name
	}
	m.names[t] = name
	schema := spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}, Properties: map[string]spec.Schema{}, Description: notes(t)}}
	m.made[name] = common.OpenAPIDefinition{}
	needs := map[string]bool{}
	if _, ok := t.FieldByName("TypeMeta"); ok {
		describeTypeMeta(&schema)
	}
	for _, f := range shapeOf(t).members {
		m.nameMember(f)
		schema.Properties[f.name] = m.property(f, needs)
		if !f.omitEmpty {
			schema.Required = append(schema.Required, f.name)
		}
	}
	m.made[name] = common.OpenAPIDefinition{Schema: schema, Dependencies: slices.Sorted(maps.Keys(needs))}
	return name
}

// nameMember names a kind's spec and status.
func (m *models) nameMember(f member) {
	if f.Name == "Spec" || f.Name == "Status" {
		m.names[f.Type] = m.kind + f.Name
	}
}

func describeTypeMeta(s *spec.Schema) {
	s.Properties["kind"] = *spec.StringProperty().WithDescription("Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds")
	s.Properties["apiVersion"] = *spec.StringProperty().WithDescription("APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources")
}

// property describes a member with its tags.
func (m *models) property(f member, needs map[string]bool) spec.Schema {
	s := m.value(f.Type, needs)
	s.Description = f.Tag.Get("doc")
	s.Default = defaultOf(f, s)
	if l, ok := lifecycleOf(f); ok {
		s.Description += l.sentence()
		l.extend(&s)
	}
	for tag, extension := range map[string]string{
		"listType": "x-kubernetes-list-type", "patchStrategy": "x-kubernetes-patch-strategy", "patchMergeKey": "x-kubernetes-patch-merge-key",
	} {
		if value := f.Tag.Get(tag); value != "" {
			s.AddExtension(extension, value)
		}
	}
	if key := f.Tag.Get("listMapKey"); key != "" {
		s.AddExtension("x-kubernetes-list-map-keys", []any{key})
	}
	return s
}

// defaultOf returns the published default: that of the tag, or the zero value of a field that
// is always sent.
func defaultOf(f member, s spec.Schema) any {
	if tag := f.Tag.Get("default"); tag != "" {
		var value any
		if err := json.Unmarshal([]byte(tag), &value); err != nil {
			panic(fmt.Sprintf("object: field %s: default %s: %v", f.Name, tag, err))
		}
		return value
	}
	switch f.Type.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return nil
	case reflect.Struct:
		if s.Ref.String() == "" || f.Type == reflect.TypeFor[metav1.Time]() {
			return nil
		}
		return map[string]any{}
	}
	if f.omitEmpty {
		return nil
	}
	return reflect.Zero(f.Type).Interface()
}

// value describes a type where it is used.
func (m *models) value(t reflect.Type, needs map[string]bool) spec.Schema {
	switch t.Kind() {
	case reflect.Pointer:
		return m.value(t.Elem(), needs)
	case reflect.Struct:
		name := m.describe(t)
		needs[name] = true
		return spec.Schema{SchemaProps: spec.SchemaProps{Ref: m.ref(name)}}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return *spec.StrFmtProperty("byte")
		}
		items := m.value(t.Elem(), needs)
		return *spec.ArrayProperty(&items)
	case reflect.Map:
		values := m.value(t.Elem(), needs)
		return *spec.MapProperty(&values)
	case reflect.Bool:
		return *spec.BooleanProperty()
	case reflect.String:
		return *spec.StringProperty()
	case reflect.Int32:
		return *spec.Int32Property()
	case reflect.Int64:
		return *spec.Int64Property()
	}
	panic(fmt.Sprintf("object: %s: cannot be described: use bool, string, int32, int64, and what is made of them", t))
}
