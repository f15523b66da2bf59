package objects

import (
	"encoding/json"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func parsed(t *testing.T, text string) (object map[string]any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &object))
	return object
}

// TestOverlay: an example stays as it is; generated values are added to it, also in each
// element of its lists.
func TestOverlay(t *testing.T) {
	example := parsed(t, `{"spec": {"one": {"a": 1}, "list": [{"n": "x"}, {"n": "y"}], "words": ["x"]}}`)
	made := parsed(t, `{"spec": {"one": {"a": 7, "b": 2}, "two": 3, "list": [{"n": "z", "m": 4}], "words": ["z"]}, "data": 5}`)
	want := parsed(t, `{"spec": {"one": {"a": 1, "b": 2}, "two": 3, "list": [{"n": "x", "m": 4}, {"n": "y", "m": 4}], "words": ["x"]}, "data": 5}`)
	assert.Equal(t, want, overlay(example, made))
	assert.Equal(t, example, overlay(example, map[string]any{}))
}

// TestNaming: if an example's name is an address, or made of fields of the object, so is
// the name of each copy; else any name is valid.
func TestNaming(t *testing.T) {
	for name, c := range map[string]struct {
		example, want string
		free          bool
	}{
		"free":         {`{"metadata": {"name": "x"}}`, `{"metadata": {"name": "fuzz-1"}}`, true},
		"none":         {`{"spec": {}}`, `{"spec": {}, "metadata": {"name": "fuzz-1"}}`, true},
		"of a member":  {`{"metadata": {"name": "xs.example.com"}, "spec": {"plural": "xs", "group": "example.com"}}`, `{"metadata": {"name": "fuzz-1.example.com"}, "spec": {"plural": "fuzz-1", "group": "example.com"}}`, false},
		"with dots":    {`{"metadata": {"name": "a.b"}, "spec": {"c": "d"}}`, `{"metadata": {"name": "fuzz-1.b"}, "spec": {"c": "d"}}`, true},
		"of its owner": {`{"metadata": {"name": "example.com:signer:abc"}}`, `{"metadata": {"name": "example.com:signer:fuzz-1"}}`, false},
	} {
		example := parsed(t, c.example)
		n := NamingOf(example)
		object, full := n.Name(example, "fuzz-1")
		assert.Equal(t, parsed(t, c.want), object, name)
		assert.Equal(t, object["metadata"].(map[string]any)["name"], full)
		assert.Equal(t, c.free, n.IsFree(), name)
	}
	n := NamingOf(parsed(t, `{"metadata": {"name": "192.168.1.3"}}`))
	_, one := n.Name(map[string]any{}, "fuzz-1-1")
	_, two := n.Name(map[string]any{}, "fuzz-1-2")
	assert.NotEqual(t, one, two)
	_, err := netip.ParseAddr(one)
	assert.NoError(t, err)
}
