package schema

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/path"
)

// TestKeepOwn: an object that preserves unknown fields keeps those beside its own, and not those of a
// struct within it that declares fields, as servers do. One that preserves them itself keeps them, and
// so does one that declares none.
func TestKeepOwn(t *testing.T) {
	const document = `{"openapi": "3.0.0", "info": {}, "paths": {}, "components": {"schemas": {"x.Widget": {"type": "object",
		"x-kubernetes-group-version-kind": [{"group": "example.dev", "version": "v1", "kind": "Widget"}], "x-kubernetes-preserve-unknown-fields": true,
		"properties": {
			"spec": {"type": "object", "properties": {"size": {"type": "integer"}, "parts": {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}}}},
			"more": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"a": {"type": "string"}}},
			"open": {"type": "object"}, "labels": {"type": "object", "additionalProperties": {"type": "string"}}
		}}}}}`
	s, err := Parse([][]byte{[]byte(document)})
	require.NoError(t, err)
	kind, _ := s.Kind("example.dev/v1", "Widget")
	for text, want := range map[string]bool{
		".undeclared": true, ".spec.size": true, ".spec.undeclared": false, ".spec.parts[0].a": true, ".spec.parts[0].undeclared": false,
		".more.undeclared": true, ".open.undeclared": true, ".labels.any": true,
	} {
		at, err := path.Parse(text)
		require.NoError(t, err)
		assert.Equal(t, want, kind.Declares(at), text)
	}
}

// customWidget is what a server publishes of a definition that has objects without properties at
// every sort of place.
const customWidget = `{"openapi": "3.0.0", "info": {}, "paths": {}, "components": {"schemas": {
	"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": {"type": "object", "properties": {"name": {"type": "string"}, "owned": {"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1"}}},
	"io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1": {"type": "object"},
	"dev.example.v1.Widget": {"type": "object",
		"x-kubernetes-group-version-kind": [{"group": "example.dev", "version": "v1", "kind": "Widget"}],
		"properties": {
			"metadata": {"allOf": [{"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}]},
			"spec": {"type": "object", "properties": {
				"empty": {"type": "object"},
				"items": {"type": "array", "items": {"type": "object"}},
				"entries": {"type": "object", "additionalProperties": {"type": "object"}},
				"template": {"type": "object", "properties": {"metadata": {"type": "object"}}},
				"any": {"type": "object", "additionalProperties": true},
				"labels": {"type": "object", "additionalProperties": {"type": "string"}},
				"untyped": {"x-kubernetes-preserve-unknown-fields": true},
				"open": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
				"more": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"empty": {"type": "object"}}},
				"embedded": {"type": "object", "x-kubernetes-embedded-resource": true, "properties": {
					"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "spec": {"type": "object"},
					"metadata": {"allOf": [{"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}]}
				}}
			}},
			"status": {"type": "object"}
		}},
	"dev.example.v1.Unknown": {"type": "object", "x-kubernetes-group-version-kind": [{"group": "example.dev", "version": "v1", "kind": "Unknown"}]},
	"dev.example.pkg.apis.v1.Native": {"type": "object", "x-kubernetes-group-version-kind": [{"group": "example.dev", "version": "v1", "kind": "Native"}],
		"properties": {"spec": {"type": "object"}}}
	}}}`

// TestObjectsWithoutProperties: servers prune all that an object of a custom resource contains if it
// declares nothing. Objects that say that they keep what they do not declare are free-form, and so are
// those without properties among Go types.
func TestObjectsWithoutProperties(t *testing.T) {
	s, err := Parse([][]byte{[]byte(customWidget)})
	require.NoError(t, err)
	for name, places := range map[string]map[string]bool{
		"Widget": {
			".spec.empty": true, ".spec.empty.a": false, ".spec.empty.a.b": false, ".status.phase": false,
			".spec.items[0]": true, ".spec.items[0].a": false, ".spec.entries.x": true, ".spec.entries.x.a": false,
			".spec.template.metadata": true, ".spec.template.metadata.labels": false,
			".spec.any.a": true, ".spec.labels.a": true, ".spec.untyped.a": true, ".spec.open.a.b": true,
			".spec.more.a.b": true, ".spec.more.empty.a": false,
			".metadata.owned.a": true, ".spec.embedded.metadata.owned.a": true, ".spec.embedded.spec.a": false,
		},
		"Unknown": {".spec.a": true},
		"Native":  {".spec.a": true},
	} {
		kind, ok := s.Kind("example.dev/v1", name)
		require.True(t, ok, name)
		for text, want := range places {
			at, err := path.Parse(text)
			require.NoError(t, err)
			assert.Equal(t, want, kind.Declares(at), "%s %s", name, text)
		}
	}
}

// TestDecode: types of clients hold the metadata of a template, which their definition publishes as an
// object without properties. They hold nothing of other such objects.
func TestDecode(t *testing.T) {
	s, err := Parse([][]byte{[]byte(customWidget)})
	require.NoError(t, err)
	kind, _ := s.Kind("example.dev/v1", "Widget")
	labels := map[string]any{"labels": map[string]any{"a": "b"}}
	widget := map[string]any{"spec": map[string]any{"template": map[string]any{"metadata": labels}, "empty": labels}}
	assert.Equal(t, map[string]any{"spec": map[string]any{"template": map[string]any{"metadata": labels}, "empty": map[string]any{}}}, kind.Decode(widget))
	pruned, dropped := kind.Prune(widget)
	assert.Equal(t, map[string]any{"spec": map[string]any{"template": map[string]any{"metadata": map[string]any{}}, "empty": map[string]any{}}}, pruned)
	assert.Len(t, dropped, 2)
}
