package clients

import (
	"encoding/json"
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applymetav1 "k8s.io/client-go/applyconfigurations/meta/v1"
)

// configurationOf derives a struct's apply configuration as Kubernetes'
// applyconfiguration-gen does: every field can be absent, so each is a pointer, or
// a list or map without a name, and what is absent is not written. The structs it
// is made of become apply configurations as well, but for those that encode
// themselves.
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

// optional makes a field one of an apply configuration. An embedded struct whose
// fields are in JSON those of the embedding one stays embedded, so that who hides
// whom stays as well.
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

// part is what stands for a type within an apply configuration. What has a name
// and is no struct stands for itself.
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
