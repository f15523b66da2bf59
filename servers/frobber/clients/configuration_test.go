package clients

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
)

// shape describes a type in JSON: the names of its fields in order, and which are optional.
func shape(t reflect.Type) string {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()) {
		return t.String()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + shape(t.Elem())
	case reflect.Slice:
		return "[]" + shape(t.Elem())
	case reflect.Map:
		return "map[" + t.Key().Kind().String() + "]" + shape(t.Elem())
	case reflect.Struct:
		var fields []string
		for i := range t.NumField() {
			f := t.Field(i)
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			inner := shape(f.Type)
			if f.Anonymous && name == "" {
				fields = append(fields, strings.Trim(inner, "{}"))
				continue
			}
			fields = append(fields, fmt.Sprintf("%s(%s) %s", name, options, inner))
		}
		return "{" + strings.Join(fields, "; ") + "}"
	}
	return t.Kind().String()
}

// holdsItself reports whether a type contains itself, which derived types cannot express.
func holdsItself(t reflect.Type, within []reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return holdsItself(t.Elem(), within)
	case reflect.Struct:
		if slices.Contains(within, t) {
			return true
		}
		for f := range t.Fields() {
			if f.IsExported() && holdsItself(f.Type, append(within, t)) {
				return true
			}
		}
	}
	return false
}

// TestLikeTheGenerator compares derived configurations with the generated ones of each kind of
// Kubernetes, except the Scales of old versions, for which none are generated.
func TestLikeTheGenerator(t *testing.T) {
	compared := 0
	for gvk, known := range scheme.Scheme.AllKnownTypes() {
		generated := applyconfigurations.ForKind(gvk)
		handMade := gvk.Kind == "Scale" && gvk.Group != autoscalingv1.GroupName
		if generated == nil || handMade || holdsItself(known, nil) {
			continue
		}
		compared++
		assert.Equal(t, shape(reflect.TypeOf(generated).Elem()), shape(configurationOf(known)), gvk.String())
	}
	require.Greater(t, compared, 100)
}
