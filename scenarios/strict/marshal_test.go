package strict

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// TestMarshal: texts and keys with characters that YAML forbids, or reads as line breaks, come back as they were.
func TestMarshal(t *testing.T) {
	const text = "\u009b31m\u0085next \u202eevil \x7f\ufeff \U0001f980 \ufffe é \u2028 \t\r\n\x1b\x00 ::x"
	for _, v := range []map[string]any{{"a": text}, {text: []any{text, "b"}}, {"a": "plain", "b": map[string]any{"c": true, "n": 1.5}}} {
		written, err := Marshal(v)
		require.NoError(t, err)
		var got map[string]any
		require.NoError(t, yaml.Unmarshal(written, &got), string(written))
		assert.Equal(t, v, got)
	}
}
