package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/schema"
)

// TestNulls: a null is a value where the kind declares it as one, of a field, an element or an entry, and absent
// elsewhere. Another release's form of the kind may declare it.
func TestNulls(t *testing.T) {
	of := func(nullable bool) schema.Kind {
		text := map[string]any{"type": "string"}
		if nullable {
			text["nullable"] = true
		}
		raw, err := json.Marshal(map[string]any{"openapi": "3.0.0", "info": map[string]any{"title": "t", "version": "v1"}, "paths": map[string]any{}, "components": map[string]any{"schemas": map[string]any{
			"dev.example.v1.Thing": map[string]any{
				"type": "object", "x-kubernetes-group-version-kind": []any{map[string]any{"group": "example.dev", "version": "v1", "kind": "Thing"}},
				"properties": map[string]any{
					"a": text, "b": map[string]any{"type": "string"},
					"list": map[string]any{"type": "array", "items": text}, "map": map[string]any{"type": "object", "additionalProperties": text},
				},
			},
		}}})
		require.NoError(t, err)
		s, err := schema.Parse([][]byte{raw})
		require.NoError(t, err)
		k, ok := s.Kind("example.dev/v1", "Thing")
		require.True(t, ok)
		return k
	}
	nulls := map[string]any{"a": nil, "b": nil, "list": []any{"x", nil}, "map": map[string]any{"y": nil}}
	declared := []string{".a", ".list[0]", ".list[1]", ".map.y"}
	assert.Equal(t, declared, pathsOf(of(true).Leaves(nulls)))
	assert.Equal(t, schema.Null, of(true).Leaves(nulls)[".a"].Semantic)
	assert.Equal(t, []string{".list[0]"}, pathsOf(of(false).Leaves(nulls)))
	assert.Equal(t, declared, pathsOf(of(false).WithNullsOf(of(true)).Leaves(nulls)))
	assert.Equal(t, declared, pathsOf(of(true).WithNullsOf(of(false)).Leaves(nulls)))
}
