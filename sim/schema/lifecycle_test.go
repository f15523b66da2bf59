package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/schema"
)

// TestLifecycles: in the form of KEP-2558, in the earlier forms, and invalid ones.
func TestLifecycles(t *testing.T) {
	says := map[string]any{"minVersion": "v1.20", "status": "alpha", "featureGate": "Two"}
	read := schema.Lifecycle{MinVersion: "v1.20", Status: schema.Alpha, FeatureGate: "Two"}
	named := func(component string) schema.Lifecycle {
		l := read
		l.Component = component
		return l
	}
	for _, c := range []struct {
		published any
		want      []schema.Lifecycle
	}{
		{map[string]any{"kubernetes": says}, []schema.Lifecycle{named("kubernetes")}},
		{map[string]any{"kubernetes": says, "istio": says}, []schema.Lifecycle{named("istio"), named("kubernetes")}},
		{says, []schema.Lifecycle{read}},
		{[]any{says, map[string]any{"status": "beta"}}, []schema.Lifecycle{read, {Status: schema.Beta}}},
		{map[string]any{"kubernetes": map[string]any{"status": 1}}, nil},
		{map[string]any{"kubernetes": "alpha"}, nil},
		{"alpha", nil},
		{nil, nil},
	} {
		k := gatedKind(t, map[string]any{schema.LifecycleKey: c.published})
		for _, text := range []string{".spec.field", ".spec.field.inner"} {
			assert.Equal(t, c.want, k.Gating().Lifecycles(at(t, text)), "%s %v", text, c.published)
		}
		assert.Empty(t, k.Gating().Lifecycles(at(t, ".spec")))
		assert.Empty(t, k.Gating().Lifecycles(at(t, ".spec.parts[0].size")))
	}
	assert.Equal(t, []string{"Two"}, gatedKind(t, map[string]any{schema.LifecycleKey: map[string]any{"kubernetes": says}}).Gating().Gates(at(t, ".spec.field")))
	assert.Empty(t, schema.Kind{}.Gating().Lifecycles(at(t, ".spec")))
}

// TestMayGo: each lifecycle that permits removal of a field, and a similar one that does not.
func TestMayGo(t *testing.T) {
	says := func(status, gate string) map[string]any { return map[string]any{"status": status, "featureGate": gate} }
	for name, c := range map[string]struct {
		published any
		want      bool
	}{
		"gated alpha":           {map[string]any{"a": says("alpha", "Two")}, true},
		"alpha without a gate":  {map[string]any{"a": says("alpha", "")}, false},
		"beta":                  {map[string]any{"a": says("beta", "Two")}, false},
		"deprecated":            {map[string]any{"a": says("deprecated", "")}, true},
		"both components alpha": {map[string]any{"a": says("alpha", "Two"), "b": says("alpha", "Two")}, true},
		"one of them beta":      {map[string]any{"a": says("alpha", "Two"), "b": says("beta", "Two")}, false},
		"unmarked":              {nil, false},
	} {
		k := gatedKind(t, map[string]any{schema.LifecycleKey: c.published})
		assert.Equal(t, c.want, k.Gating().MayGo(at(t, ".spec.field")), name)
		assert.Equal(t, c.want, k.Gating().MayGo(at(t, ".spec.field.inner")), "%s: the fields below", name)
		assert.False(t, k.Gating().MayGo(at(t, ".spec.parts[0].size")), "%s: beside it", name)
	}
}

// TestFields: all that is defined, in order, with what is inlined.
func TestFields(t *testing.T) {
	all, err := schema.Fields([]byte(`{"components":{"schemas":{
		"b.Part":{"properties":{"size":{"x-kubernetes-api-lifecycle":"odd"},"void":{"x-kubernetes-api-lifecycle":null}}},
		"a.Thing":{"properties":{
			"parts":{"type":"array","items":{"$ref":"#/components/schemas/b.Part"}},
			"inline":{"properties":{"x":{}}},
			"list":{"items":{"properties":{"y":{}}}},
			"map":{"additionalProperties":{"properties":{"z":{}}}}}}}}}`))
	require.NoError(t, err)
	assert.Equal(t, []schema.Field{
		{"a.Thing", ".inline", nil, false}, {"a.Thing", ".inline.x", nil, false}, {"a.Thing", ".list", nil, false}, {"a.Thing", ".list[].y", nil, false},
		{"a.Thing", ".map", nil, false}, {"a.Thing", ".map[].z", nil, false}, {"a.Thing", ".parts", nil, false}, {"b.Part", ".size", "odd", true},
		{"b.Part", ".void", nil, true},
	}, all)
	_, err = schema.Fields([]byte(`{}`))
	assert.EqualError(t, err, "openapi: the document has no components")
}
