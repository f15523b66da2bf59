package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
)

// tagged is a kind whose source says what its descriptions do not.
func tagged(t *testing.T, description string, lifecycle any) schema.Kind {
	t.Helper()
	field := map[string]any{"type": "string", "description": description}
	if lifecycle != nil {
		field[schema.LifecycleKey] = lifecycle
	}
	part := map[string]any{"type": "object", "properties": map[string]any{
		"size": field, "shape": map[string]any{"type": "string"}, "shapes": map[string]any{"type": "array", "items": map[string]any{"type": "string"}},
	}}
	kind := map[string]any{"type": "object", "properties": map[string]any{
		"parts": map[string]any{"type": "array", "items": map[string]any{"$ref": "#/components/schemas/Part"}},
	}}
	kind["x-kubernetes-group-version-kind"] = []any{map[string]any{"group": "example.dev", "version": "v1", "kind": "Thing"}}
	document := asJSON(t, map[string]any{"openapi": "3.0.0", "info": map[string]any{}, "paths": map[string]any{}, "components": map[string]any{
		"schemas": map[string]any{"Thing": kind, "Part": part},
	}})
	s, err := schema.Parse([][]byte{[]byte(document)})
	require.NoError(t, err)
	tags, err := schema.ReadTags([]byte(`{
		"Part": {"size": {"gates": ["Small", "Sizes"]}, "shape": {"values": {"Square": ["Squares"]}}, "shapes": {"values": {"Square": ["Squares"]}}},
		"Elsewhere": {"size": {"gates": ["Other"]}}}`))
	require.NoError(t, err)
	k, ok := s.WithTags(tags).Kind(apiVersion, "Thing")
	require.True(t, ok)
	return k
}

// TestGuards tells who says that a field is behind which gates. What two say is said
// once, by whoever is trusted more.
func TestGuards(t *testing.T) {
	small, sizes := schema.Guard{Gate: "Small", Source: term.FromTag}, schema.Guard{Gate: "Sizes", Source: term.FromTag}
	for name, c := range map[string]struct {
		description string
		lifecycle   any
		want        []schema.Guard
	}{
		"tags alone":                 {want: []schema.Guard{small, sizes}},
		"the description says more":  {"Requires the Big feature gate.", nil, []schema.Guard{small, sizes, {Gate: "Big", Source: term.FromDescription}}},
		"the description says less":  {"Requires the Small feature gate.", nil, []schema.Guard{small, sizes}},
		"the lifecycle is published": {"", map[string]any{"featureGate": "Small"}, []schema.Guard{{Gate: "Small", Source: term.FromLifecycle}, sizes}},
	} {
		k := tagged(t, c.description, c.lifecycle)
		assert.Equal(t, c.want, k.Gating().Guards(at(t, ".parts[0].size")), name)
		assert.Empty(t, k.Gating().Guards(at(t, ".parts[0].shape")), name)
		assert.Subset(t, k.Needs(), []string{"Small", "Sizes", "Squares"}, name)
		assert.NotContains(t, k.Needs(), "Other", name)
	}
}

// TestGuardsOfValue finds the gate of one value of an enum, and of no other.
func TestGuardsOfValue(t *testing.T) {
	k := tagged(t, "", nil)
	squares := []schema.Guard{{Gate: "Squares", Source: term.FromTag}}
	assert.Equal(t, squares, k.Gating().GuardsOfValue(at(t, ".parts[0].shape"), "Square"))
	assert.Equal(t, squares, k.Gating().GuardsOfValue(at(t, ".parts[0].shapes[1]"), "Square"))
	assert.Empty(t, k.Gating().GuardsOfValue(at(t, ".parts[0].shape"), "Round"))
	assert.Empty(t, k.Gating().GuardsOfValue(at(t, ".parts[0].size"), "Square"))
	assert.Empty(t, k.Gating().GuardsOfValue(at(t, ".parts[0].shape"), 4))
	assert.Empty(t, k.Gating().GuardsOfValue(at(t, ".elsewhere"), "Square"))
}

func TestReadTagsRefuses(t *testing.T) {
	_, err := schema.ReadTags([]byte(`{"Part": []}`))
	assert.Error(t, err)
	_, err = schema.ReadTags(make([]byte, schema.MaxDocument+1))
	assert.Error(t, err)
}
