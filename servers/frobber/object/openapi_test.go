package object_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/servers/frobber/object"
)

func describe(kinds ...any) map[string]common.OpenAPIDefinition {
	return object.Definitions(func(name string) spec.Ref { return spec.MustCreateRef("#/" + name) }, kinds...)
}

func schema(t *testing.T, d common.OpenAPIDefinition) string {
	t.Helper()
	b, err := json.Marshal(d.Schema)
	require.NoError(t, err)
	return string(b)
}

func TestDefinitions(t *testing.T) {
	all := describe(&wide{}, &object.List[Wide, status]{})
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	assert.ElementsMatch(t, []string{
		"com.example.v1.Widget", "com.example.v1.WidgetList", "com.example.v1.WidgetSpec", "com.example.v1.WidgetStatus", "com.example.v1.Part",
	}, names)
	assert.JSONEq(t, `{"type":"object","required":["name"],"properties":{
		"name":{"type":"string","default":""},"size":{"type":"integer","format":"int32"}}}`, schema(t, all["com.example.v1.Part"]))

	widget := all["com.example.v1.Widget"]
	assert.Equal(t, []string{"com.example.v1.WidgetSpec", "com.example.v1.WidgetStatus", "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}, widget.Dependencies)
	assert.Contains(t, widget.Schema.Properties, "kind")
	assert.Empty(t, widget.Schema.Required)
	assert.Equal(t, []string{"items"}, all["com.example.v1.WidgetList"].Schema.Required)

	s := all["com.example.v1.WidgetSpec"].Schema
	assert.NotContains(t, s.Required, "height", "the pointer further out hides the value further in")
	assert.Nil(t, s.Properties["height"].Default)
	parts := s.Properties["parts"]
	assert.Equal(t, spec.Extensions{
		"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []any{"name"},
		"x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name",
	}, parts.Extensions)
	assert.Equal(t, "#/com.example.v1.Part", parts.Items.Schema.Ref.String())
	assert.Equal(t, spec.StringOrArray{"string"}, s.Properties["labels"].AdditionalProperties.Schema.Type)
	assert.Equal(t, "byte", s.Properties["raw"].Format)
}

// TestDefinitionsTellReleasesApart: the old release publishes its own shape
// under the same names.
func TestDefinitionsTellReleasesApart(t *testing.T) {
	was, is := describe(&old{})["com.example.v1.WidgetSpec"].Schema, describe(&wide{})["com.example.v1.WidgetSpec"].Schema
	assert.NotContains(t, was.Properties, "width")
	assert.Contains(t, is.Properties, "width")
	height := was.Properties["height"]
	assert.Equal(t, []string{"height"}, was.Required)
	assert.Equal(t, 7., height.Default)
	assert.Equal(t, "how high", height.Description)
	delete(is.Properties, "width")
	delete(is.Properties, "height")
	delete(was.Properties, "height")
	assert.Equal(t, was.Properties, is.Properties)
}

// TestDefinitionsNeedAName: a spec without one has a way out.
func TestDefinitionsNeedAName(t *testing.T) {
	assert.PanicsWithValue(t, "object: struct {}: no OpenAPIModelName: the spec's struct, or one it embeds, needs the method", func() {
		describe(&object.Object[struct{}, status]{})
	})
}
