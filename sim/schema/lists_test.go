package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/schema"
)

// TestLists: it returns list-maps and sets, not plain and atomic lists, and it ends for a
// recursive type.
func TestLists(t *testing.T) {
	lists := gadget(t).Lists()
	assert.Equal(t, []string{"number", "protocol"}, lists[".spec.ports"])
	assert.Equal(t, []string{}, lists[".spec.tags"])
	assert.NotContains(t, lists, ".spec.steps")
	assert.NotContains(t, lists, ".spec.plain")
	for at := range lists {
		assert.NotEmpty(t, at)
	}
	assert.Empty(t, schema.Kind{}.Lists())
}

// TestListsOfTypesInTypes: the second of two equal types is followed, a type inside
// itself is not.
func TestListsOfTypesInTypes(t *testing.T) {
	s, err := schema.Parse([][]byte{[]byte(`{"openapi": "3.0.0", "components": {"schemas": {
		"Tree": {"type": "object", "x-kubernetes-group-version-kind": [{"group": "example.dev", "version": "v1", "kind": "Tree"}], "properties": {
			"left": {"$ref": "#/components/schemas/Node"}, "right": {"$ref": "#/components/schemas/Node"},
			"byName": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Node"}}}},
		"Node": {"type": "object", "properties": {"name": {"type": "string"},
			"nodes": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}}}}}}`)})
	require.NoError(t, err)
	k, ok := s.Kind("example.dev/v1", "Tree")
	require.True(t, ok)
	assert.Equal(t, map[string][]string{".left.nodes": {"name"}, ".right.nodes": {"name"}}, k.Lists())
	assert.Equal(t, []string{"example.dev/v1"}, s.VersionsOf("example.dev", "Tree"))
	assert.Empty(t, s.VersionsOf("other.dev", "Tree"))
	assert.Empty(t, (*schema.Schema)(nil).VersionsOf("example.dev", "Tree"))
}
