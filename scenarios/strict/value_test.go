package strict_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/skewsim/skewsim/scenarios/strict"
)

// TestValue: what is decoded is what the library decodes, and what it refuses is refused.
func TestValue(t *testing.T) {
	for _, text := range []string{
		"a: 1\nb: [x, 1.5, null, true, {c: '5'}]\nd: {}\ne: []\nf: 0o17\ng: !!str 5\nh: |\n  text\n", "[]", "x", "{}", "5", "~", "\"a b\": -3",
	} {
		var n yaml.Node
		require.NoError(t, yaml.Unmarshal([]byte(text), &n))
		var want any
		require.NoError(t, n.Decode(&want))
		got, err := strict.Value(n.Content[0])
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"a: 1\nb: 2\na: 3\n":   "line 3: mapping key \"a\" already defined at line 1",
		"x: {1: 2}":            "line 1: the number 1 as a key",
		"x:\n- ? [a]\n  : b\n": "line 2: a list as a key",
	} {
		var n yaml.Node
		require.NoError(t, yaml.Unmarshal([]byte(text), &n))
		_, err := strict.Value(n.Content[0])
		assert.ErrorContains(t, err, want)
	}
}
