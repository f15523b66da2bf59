package fuzz

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"
)

// document publishes a kind with every sort of member that the maker knows.
const document = `{"openapi": "3.0.0", "info": {"title": "made up", "version": "v1"}, "paths": {}, "components": {"schemas": {
"x.Gadget": {"type": "object", "required": ["spec"],
  "x-kubernetes-group-version-kind": [{"group": "example.dev", "version": "v1", "kind": "Gadget"}],
  "properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"},
    "metadata": {"allOf": [{"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}]},
    "spec": {"allOf": [{"$ref": "#/components/schemas/x.GadgetSpec"}]},
    "status": {"type": "object", "required": ["told"], "properties": {"told": {"type": "string"}}}}},
"x.GadgetSpec": {"type": "object", "required": ["size"], "properties": {
  "size": {"type": "integer", "format": "int32", "minimum": 3, "maximum": 8, "exclusiveMinimum": true},
  "step": {"type": "integer", "multipleOf": 5, "minimum": 0},
  "share": {"type": "number", "maximum": 1},
  "mode": {"type": "string", "enum": ["Fast", "Slow"]},
  "code": {"type": "string", "pattern": "^[A-Z]$"},
  "short": {"type": "string", "minLength": 2, "maxLength": 3},
  "blob": {"type": "string", "format": "byte"},
  "on": {"type": "boolean"},
  "ports": {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/x.Port"},
    "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["number", "protocol"]},
  "tags": {"type": "array", "maxItems": 2, "items": {"type": "string"}, "x-kubernetes-list-type": "set", "uniqueItems": true},
  "limits": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity"}},
  "target": {"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.util.intstr.IntOrString"},
  "since": {"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time"},
  "tick": {"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime"},
  "tree": {"$ref": "#/components/schemas/x.Tree"},
  "nowhere": {"$ref": "#/components/schemas/x.Missing"}}},
"x.Port": {"type": "object", "required": ["number"], "properties": {"number": {"type": "integer", "minimum": 1, "maximum": 3},
  "protocol": {"type": "string", "enum": ["tcp", "udp"], "default": "tcp"}}},
"x.Tree": {"type": "object", "properties": {"left": {"$ref": "#/components/schemas/x.Tree"}, "title": {"type": "string"}}},
"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": {"type": "object", "properties": {"name": {"type": "string"},
  "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
  "labels": {"type": "object", "additionalProperties": {"type": "string"}}}},
"io.k8s.apimachinery.pkg.api.resource.Quantity": {"oneOf": [{"type": "string"}, {"type": "number"}]},
"io.k8s.apimachinery.pkg.util.intstr.IntOrString": {"oneOf": [{"type": "integer"}, {"type": "string"}], "format": "int-or-string"},
"io.k8s.apimachinery.pkg.apis.meta.v1.Time": {"type": "string", "format": "date-time"},
"io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": {"type": "string", "format": "date-time"}
}}}`

func gadget(t testing.TB) (shapes, *spec.Schema) {
	t.Helper()
	s, err := readShapes([]byte(document))
	require.NoError(t, err)
	root := s.root("example.dev/v1", "Gadget")
	require.NotNil(t, root)
	return s, root
}

func make1(t testing.TB, seed int64, number int, plain bool) map[string]any {
	s, root := gadget(t)
	m := makerOf(s, seed, number)
	m.plain = plain
	return m.object(root, "example.dev/v1", "Gadget", []string{"status"})
}

// written puts definitions in the place of references, some levels deep: the
// validator follows none.
func written(s shapes, at spec.Schema, levels int) spec.Schema {
	resolved, _ := s.resolve(&at)
	if resolved == nil || levels == 0 {
		return spec.Schema{}
	}
	at = *resolved
	if at.Format == "int-or-string" {
		at.Format = "" // the validator takes it for the name of a type
	}
	members := map[string]spec.Schema{}
	for name, member := range at.Properties {
		members[name] = written(s, member, levels-1)
	}
	at.Properties = members
	if at.Items != nil {
		element := written(s, *at.Items.Schema, levels-1)
		at.Items = &spec.SchemaOrArray{Schema: &element}
	}
	if at.AdditionalProperties != nil {
		element := written(s, *at.AdditionalProperties.Schema, levels-1)
		at.AdditionalProperties = &spec.SchemaOrBool{Allows: true, Schema: &element}
	}
	return at
}

// TestEveryObjectMeetsItsSchema holds what is made against another reader of
// schemas, and sees to it that each member is made at some time.
func TestEveryObjectMeetsItsSchema(t *testing.T) {
	s, root := gadget(t)
	form := written(s, *root, 8)
	validator := validate.NewSchemaValidator(&form, nil, "", strfmt.Default)
	seen := map[string]bool{}
	for number := range 2000 {
		object := make1(t, 1, number, number%2 == 1)
		found := validator.Validate(object)
		require.True(t, found.IsValid(), "object %d: %v: %v", number, found.Errors, object)
		ports := map[string]bool{}
		for name, v := range object["spec"].(map[string]any) {
			seen[name] = true
			if name != "ports" {
				continue
			}
			for _, p := range v.([]any) {
				port := p.(map[string]any)
				if port["protocol"] == nil {
					port["protocol"] = "tcp"
				}
				key := fmt.Sprint(port["number"], port["protocol"])
				assert.False(t, ports[key], "object %d: two ports %s", number, key)
				ports[key] = true
			}
		}
		assert.NotContains(t, object, "status", "a subresource is sent elsewhere")
	}
	for name := range s.definitions["x.GadgetSpec"].Properties {
		assert.Equal(t, name != "nowhere", seen[name], name)
	}
}

func TestValidatorCanRefuse(t *testing.T) {
	s, root := gadget(t)
	form := written(s, *root, 8)
	validator := validate.NewSchemaValidator(&form, nil, "", strfmt.Default)
	for _, spec := range []map[string]any{
		{"size": int64(3)}, {"size": int64(9)}, {}, {"size": int64(4), "mode": "Odd"}, {"size": int64(4), "step": int64(3)},
		{"size": int64(4), "short": "a"}, {"size": int64(4), "tags": []any{"a", "a"}}, {"size": int64(4), "ports": []any{}},
	} {
		object := map[string]any{"apiVersion": "example.dev/v1", "kind": "Gadget", "spec": spec}
		assert.False(t, validator.Validate(object).IsValid(), "%v", spec)
	}
}

// TestSeedsDecide: the same seed and number make the same object, in whichever
// order; another seed, or another number, makes another.
func TestSeedsDecide(t *testing.T) {
	var first []string
	for number := range 50 {
		first = append(first, jsonText(make1(t, 7, number, false)))
	}
	differ := 0
	for number := 49; number >= 0; number-- {
		assert.Equal(t, first[number], jsonText(make1(t, 7, number, false)))
		if jsonText(make1(t, 8, number, false)) != first[number] && first[number] != first[(number+1)%50] {
			differ++
		}
	}
	assert.Greater(t, differ, 45)
}

// TestOpenForms: of a field that takes any value, or any object, something is made, so that one
// which requires it can be made; of what is said to be nothing of the kind nothing is.
func TestOpenForms(t *testing.T) {
	var open, anyObject, none spec.Schema
	require.NoError(t, open.UnmarshalJSON([]byte(`{"x-kubernetes-preserve-unknown-fields":true}`)))
	require.NoError(t, anyObject.UnmarshalJSON([]byte(`{"type":"object","x-kubernetes-preserve-unknown-fields":true}`)))
	require.NoError(t, none.UnmarshalJSON([]byte(`{"description":"nothing is published of it"}`)))
	kinds := map[string]bool{}
	for number := range 100 {
		m := makerOf(shapes{}, 1, number)
		v, made := m.value(&open, 1)
		require.True(t, made)
		kinds[fmt.Sprintf("%T", v)] = true
		object, made := m.value(&anyObject, 1)
		require.True(t, made)
		assert.NotEmpty(t, object.(map[string]any))
		_, made = m.value(&none, 1)
		assert.False(t, made)
	}
	assert.GreaterOrEqual(t, len(kinds), 4, kinds)
	must := spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}, Required: []string{"state"}, Properties: map[string]spec.Schema{"state": open}}}
	for number := range 20 {
		v, made := makerOf(shapes{}, 1, number).value(&must, 1)
		require.True(t, made)
		assert.Contains(t, v, "state")
	}
}
