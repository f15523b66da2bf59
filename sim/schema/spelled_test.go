package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/schema"
)

// TestSpelled: in a custom resource too, one quantity and one time have several spellings, in a field, an element and an entry.
// A text that only looks like one keeps its spelling.
func TestSpelled(t *testing.T) {
	const pattern = `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`
	quantity := map[string]any{"x-kubernetes-int-or-string": true, "pattern": pattern, "anyOf": []any{map[string]any{"type": "integer"}, map[string]any{"type": "string"}}}
	moment, text := map[string]any{"type": "string", "format": "date-time"}, map[string]any{"type": "string"}
	raw, err := json.Marshal(map[string]any{"openapi": "3.0.0", "info": map[string]any{"title": "t", "version": "v1"}, "paths": map[string]any{}, "components": map[string]any{"schemas": map[string]any{
		"dev.example.v1.Thing": map[string]any{
			"type": "object", "x-kubernetes-group-version-kind": []any{map[string]any{"group": "example.dev", "version": "v1", "kind": "Thing"}},
			"properties": map[string]any{
				"weight": quantity, "at": moment, "text": text, "port": map[string]any{"x-kubernetes-int-or-string": true},
				"list": map[string]any{"type": "array", "items": quantity}, "map": map[string]any{"type": "object", "additionalProperties": quantity},
			},
		},
	}}})
	require.NoError(t, err)
	s, err := schema.Parse([][]byte{raw})
	require.NoError(t, err)
	k, ok := s.Kind("example.dev/v1", "Thing")
	require.True(t, ok)
	of := func(object map[string]any) schema.Leaves { return k.Leaves(object) }
	one := of(map[string]any{"weight": "-1.1Ei", "at": "2026-01-01T00:00:00Z", "text": "1k", "port": int64(80), "list": []any{int64(1001)}, "map": map[string]any{"a": "1k"}})
	two := of(map[string]any{"weight": "-1268213655067531673600m", "at": "2026-01-01T01:00:00+01:00", "text": "1000", "port": "80", "list": []any{"1001"}, "map": map[string]any{"a": int64(1000)}})
	require.Len(t, one, 6)
	for at, leaf := range one {
		assert.Equal(t, at != ".text" && at != ".port", leaf.Semantic == two[at].Semantic, "%s: %s, %s", at, leaf.Semantic, two[at].Semantic)
	}
	assert.NotEqual(t, one[".weight"].Semantic, of(map[string]any{"weight": "-1.2Ei"})[".weight"].Semantic)
}
