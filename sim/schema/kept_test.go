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
