package objects

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"
)

// gadgetOpenAPI publishes a kind with every sort of member that the generator knows.
const gadgetOpenAPI = "testdata/gadget.json"

func gadget(t testing.TB) Kind {
	t.Helper()
	document, err := os.ReadFile(gadgetOpenAPI)
	require.NoError(t, err)
	all, err := ReadDefinitions(document)
	require.NoError(t, err)
	k, ok := all.Kind("example.dev/v1", "Gadget", []string{"status"})
	require.True(t, ok)
	return k
}

func gadgetObject(t testing.TB, seed int64, number int, plain bool) map[string]any {
	k := gadget(t)
	g := generatorOf(k.definitions, seed, number)
	g.plain = plain
	return g.object(k)
}

// written replaces references by definitions, some levels deep: the validator follows none.
func written(d Definitions, at spec.Schema, levels int) spec.Schema {
	resolved, _ := d.Resolve(&at)
	if resolved == nil || levels == 0 {
		return spec.Schema{}
	}
	at = *resolved
	if at.Format == "int-or-string" {
		at.Format = "" // the validator takes it for the name of a type
	}
	members := map[string]spec.Schema{}
	for name, member := range at.Properties {
		members[name] = written(d, member, levels-1)
	}
	at.Properties = members
	if at.Items != nil {
		element := written(d, *at.Items.Schema, levels-1)
		at.Items = &spec.SchemaOrArray{Schema: &element}
	}
	if at.AdditionalProperties != nil {
		element := written(d, *at.AdditionalProperties.Schema, levels-1)
		at.AdditionalProperties = &spec.SchemaOrBool{Allows: true, Schema: &element}
	}
	return at
}

// TestEveryObjectMeetsItsSchema checks generated objects with another validator, and that
// each member is generated at some time.
func TestEveryObjectMeetsItsSchema(t *testing.T) {
	k := gadget(t)
	schema := written(k.definitions, *k.root, 8)
	validator := validate.NewSchemaValidator(&schema, nil, "", strfmt.Default)
	seen := map[string]bool{}
	for number := range 2000 {
		object := gadgetObject(t, 1, number, number%2 == 1)
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
	for name := range k.definitions.byName["x.GadgetSpec"].Properties {
		assert.Equal(t, name != "nowhere", seen[name], name)
	}
}

func TestValidatorCanRefuse(t *testing.T) {
	k := gadget(t)
	schema := written(k.definitions, *k.root, 8)
	validator := validate.NewSchemaValidator(&schema, nil, "", strfmt.Default)
	for _, spec := range []map[string]any{
		{"size": int64(3)}, {"size": int64(9)}, {}, {"size": int64(4), "mode": "Odd"}, {"size": int64(4), "step": int64(3)},
		{"size": int64(4), "short": "a"}, {"size": int64(4), "tags": []any{"a", "a"}}, {"size": int64(4), "ports": []any{}},
	} {
		object := map[string]any{"apiVersion": "example.dev/v1", "kind": "Gadget", "spec": spec}
		assert.False(t, validator.Validate(object).IsValid(), "%v", spec)
	}
}

// TestSeedsDecide: the same seed and number generate the same object, in whichever order;
// another seed, or another number, generates another.
func TestSeedsDecide(t *testing.T) {
	var first []string
	for number := range 50 {
		first = append(first, JSONText(gadgetObject(t, 7, number, false)))
	}
	differ := 0
	for number := 49; number >= 0; number-- {
		assert.Equal(t, first[number], JSONText(gadgetObject(t, 7, number, false)))
		if JSONText(gadgetObject(t, 8, number, false)) != first[number] && first[number] != first[(number+1)%50] {
			differ++
		}
	}
	assert.Greater(t, differ, 45)
}

// TestOpenForms: a field that accepts any value, or any object, gets one, so that it can be
// required; a field without a schema that allows that gets none.
func TestOpenForms(t *testing.T) {
	var open, anyObject, none spec.Schema
	require.NoError(t, open.UnmarshalJSON([]byte(`{"x-kubernetes-preserve-unknown-fields":true}`)))
	require.NoError(t, anyObject.UnmarshalJSON([]byte(`{"type":"object","x-kubernetes-preserve-unknown-fields":true}`)))
	require.NoError(t, none.UnmarshalJSON([]byte(`{"description":"nothing is published of it"}`)))
	kinds := map[string]bool{}
	for number := range 100 {
		g := generatorOf(Definitions{}, 1, number)
		v, made := g.value(&open, 1)
		require.True(t, made)
		kinds[fmt.Sprintf("%T", v)] = true
		object, made := g.value(&anyObject, 1)
		require.True(t, made)
		assert.NotEmpty(t, object.(map[string]any))
		_, made = g.value(&none, 1)
		assert.False(t, made)
	}
	assert.GreaterOrEqual(t, len(kinds), 4, kinds)
	must := spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}, Required: []string{"state"}, Properties: map[string]spec.Schema{"state": open}}}
	for number := range 20 {
		v, made := generatorOf(Definitions{}, 1, number).value(&must, 1)
		require.True(t, made)
		assert.Contains(t, v, "state")
	}
}
