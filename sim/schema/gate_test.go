package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/schema"
)

// gatedKind publishes one field, .spec.field, with the given members.
func gatedKind(t *testing.T, field map[string]any) schema.Kind {
	t.Helper()
	field["type"] = "object"
	field["properties"] = map[string]any{"inner": map[string]any{"type": "string", "description": "Requires the Inner feature gate to be enabled."}}
	properties := func(name string, of any) map[string]any {
		return map[string]any{"type": "object", "properties": map[string]any{name: of}}
	}
	list := map[string]any{"type": "array", "items": map[string]any{"$ref": "#/components/schemas/Part"}}
	kind := properties("spec", map[string]any{"type": "object", "properties": map[string]any{
		"field": field, "parts": list,
		"byName": map[string]any{"type": "object", "additionalProperties": properties("x", map[string]any{"type": "string", "description": "requires Mapped feature gate"})},
	}})
	kind["x-kubernetes-group-version-kind"] = []any{map[string]any{"group": "example.dev", "version": "v1", "kind": "Thing"}}
	part := properties("size", map[string]any{"type": "string", "description": "This is an alpha field and requires enabling the PartSize feature gate."})
	document := asJSON(t, map[string]any{"openapi": "3.0.0", "info": map[string]any{}, "paths": map[string]any{}, "components": map[string]any{
		"schemas": map[string]any{"Thing": kind, "Part": part},
	}})
	s, err := schema.Parse([][]byte{[]byte(document)})
	require.NoError(t, err)
	k, ok := s.Kind(apiVersion, "Thing")
	require.True(t, ok)
	return k
}

// The sentences are from real releases: sentences that name a gate, and sentences that do not.
func TestGatesOfDescriptions(t *testing.T) {
	for text, want := range map[string][]string{
		"This is an alpha field and requires enabling the PodLevelResources feature gate.":                  {"PodLevelResources"},
		"(Alpha) This field requires the AtomicWriteVolumeUserFields feature gate to be enabled.":           {"AtomicWriteVolumeUserFields"},
		"This field is alpha and requires EmptyDirVolumeMode featuregate to be enabled.":                    {"EmptyDirVolumeMode"},
		"The PodObservedGenerationTracking feature gate must be enabled to use this field.":                 {"PodObservedGenerationTracking"},
		"Alpha, gated by the ClusterTrustBundleProjection feature gate.":                                    {"ClusterTrustBundleProjection"},
		"This field depends on the\nDynamicResourceAllocation feature gate.":                                {"DynamicResourceAllocation"},
		"This is a stable field but requires that the DynamicResourceAllocation feature gate is enabled.":   {"DynamicResourceAllocation"},
		"Requires the Beta2 feature gate. (Beta) Using this field requires the Alpha1 feature gate.":        {"Alpha1", "Beta2"},
		"If not specified and SELinuxMount feature gate is disabled, the default is used.":                  nil,
		"When the DRAWorkloadResourceClaims feature gate is enabled and the pod has none, nothing happens.": nil,
		"DeclaredFeatures represents the features related to feature gates that are declared by the node.":  nil,
		"Requires a feature gate.": nil,
		"How pods are replaced.\n\nPossible enum values:\n - `\"Recreate\"` all at once; it requires enabling StatefulSetRecreateStrategy feature gate.": nil,
	} {
		assert.Equal(t, want, gatedKind(t, map[string]any{"description": text}).Gating().Gates(at(t, ".spec.field")), text)
	}
}

// A published lifecycle says it better than words do.
func TestGatesOfLifecycles(t *testing.T) {
	field := func(lifecycle any) map[string]any {
		return map[string]any{"description": "Requires the Told feature gate.", "x-kubernetes-api-lifecycle": lifecycle}
	}
	one := map[string]any{"minVersion": "1.1", "status": "alpha", "featureGate": "Published"}
	for _, c := range []struct {
		lifecycle any
		want      []string
	}{
		{one, []string{"Published"}},
		{[]any{one, map[string]any{"featureGate": "Second"}}, []string{"Published", "Second"}},
		{map[string]any{"status": "stable"}, []string{"Told"}},
		{"odd", []string{"Told"}},
	} {
		assert.Equal(t, c.want, gatedKind(t, field(c.lifecycle)).Gating().Gates(at(t, ".spec.field")))
	}
}

// Fields below a gated field need its gate too, including list elements and map members; its
// neighbours do not.
func TestGatesAlongThePath(t *testing.T) {
	k := gatedKind(t, map[string]any{"description": "Requires the Outer feature gate."})
	for text, want := range map[string][]string{
		".spec.field.inner":          {"Outer", "Inner"},
		".spec":                      nil,
		".spec.parts[0].size":        {"PartSize"},
		".spec.parts[0]":             nil,
		`.spec.byName["any"].x`:      {"Mapped"},
		".spec.field.elsewhere.deep": {"Outer"},
		"":                           nil,
	} {
		assert.Equal(t, want, k.Gating().Gates(at(t, text)), text)
	}
	assert.Empty(t, schema.Kind{}.Gating().Gates(at(t, ".spec.field")))
}
