package clients

import (
	"encoding/json"
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applymetav1 "k8s.io/client-go/applyconfigurations/meta/v1"
)

// configurationOf derives a struct's apply configuration as Kubernetes' applyconfiguration-gen
// does: every field is optional, so each is a pointer, or an unnamed list or map, and absent
// fields are omitted. Nested structs become apply configurations as well, except those that
// encode themselves.
func configurationOf(t reflect.Type) reflect.Type {
	if t == reflect.TypeFor[metav1.ObjectMeta]() {
		return reflect.TypeFor[applymetav1.ObjectMetaApplyConfiguration]()
	}
	var fields []reflect.StructField
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
			fields = append(fields, optional(f))
		}
	}
	return reflect.StructOf(fields)
}

// optional converts a field for an apply configuration. An inlined struct stays embedded, so
// that fields hide each other as before.
func optional(f reflect.StructField) reflect.StructField {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if f.Anonymous && name == "" {
		return reflect.StructField{Name: f.Name, Type: configurationOf(f.Type), Tag: `json:",inline"`, Anonymous: true}
	}
	if name == "" {
		name = f.Name
	}
	made := part(f.Type)
	if made.Name() != "" || made.Kind() == reflect.Struct {
		made = reflect.PointerTo(made)
	}
	return reflect.StructField{Name: f.Name, Type: made, Tag: reflect.StructTag(`json:"` + name + `,omitempty"`)}
}

// part returns the type to use within an apply configuration. A named type that is not a struct
// stays.
func part(t reflect.Type) reflect.Type {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()) {
		return t
	}
	switch {
	case t.Kind() == reflect.Struct:
		return configurationOf(t)
	case t.Name() != "":
		return t
	case t.Kind() == reflect.Pointer:
		return reflect.PointerTo(part(t.Elem()))
	case t.Kind() == reflect.Slice:
		return reflect.SliceOf(part(t.Elem()))
	case t.Kind() == reflect.Map:
		return reflect.MapOf(t.Key(), part(t.Elem()))
	}
	return t
}
