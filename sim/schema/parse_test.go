package schema_test

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/schema"
)

func TestKinds(t *testing.T) {
	s, err := schema.Parse([][]byte{document(t)})
	require.NoError(t, err)
	for kind, want := range map[[2]string]bool{
		{apiVersion, "Gadget"}:        true,
		{"v1", "Bare"}:                true,
		{"v1", "Gadget"}:              false,
		{apiVersion, "Port"}:          false, // a part of another
		{"v1", "DeleteOptions"}:       false, // of several groups: nothing that is stored
		{apiVersion, "DeleteOptions"}: false,
		{"", ""}:                      false,
	} {
		_, ok := s.Kind(kind[0], kind[1])
		assert.Equal(t, want, ok, kind)
	}
}

func TestNoSchema(t *testing.T) {
	var none *schema.Schema
	k, ok := none.Kind("v1", "Gadget")
	assert.False(t, ok)
	assert.False(t, k.Declares(at(t, ".spec")))
	_, has := k.Default(at(t, ".spec"))
	assert.False(t, has)
	o := object(t, `{"spec":{"a":[{"b":1}]}}`)
	assert.Equal(t, []string{".spec.a[0].b"}, pathsOf(k.Leaves(o)))
	pruned, dropped := k.Prune(o)
	assert.Equal(t, o, pruned)
	assert.Empty(t, dropped)
}

func TestParseSeveral(t *testing.T) {
	s, err := schema.Parse(nil)
	require.NoError(t, err)
	_, ok := s.Kind(apiVersion, "Gadget")
	assert.False(t, ok)
	other := `{"components":{"schemas":{"o":{"type":"object","x-kubernetes-group-version-kind":[{"group":"o","version":"v2","kind":"Other"}]}}}}`
	s, err = schema.Parse([][]byte{document(t), []byte(other)})
	require.NoError(t, err)
	for gv, kind := range map[string]string{apiVersion: "Gadget", "o/v2": "Other"} {
		_, ok := s.Kind(gv, kind)
		assert.True(t, ok, kind)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		``:                                      "openapi: unexpected end of JSON input",
		`{"components"`:                         "openapi: unexpected end of JSON input",
		`{}`:                                    "openapi: the document has no components",
		`{"components":null}`:                   "openapi: the document has no components",
		`{"components":{"schemas":{"A":null}}}`: `openapi: definition "A" is null`,
		`{"components":{"schemas":{"A":{"type":"file"}}}}`:  "openapi: A: unrecognized type: 'file'",
		`{"components":{"schemas":{"A":{"type":"array"}}}}`: "openapi: A: `items` must be specified on arrays",
	} {
		s, err := schema.Parse([][]byte{[]byte(text)})
		assert.Nil(t, s, text)
		assert.EqualError(t, err, want, text)
	}
	for _, text := range []string{`[]`, `5`, `{"components":5}`, `{"components":{"schemas":{"A":5}}}`} {
		_, err := schema.Parse([][]byte{[]byte(text)})
		assert.ErrorContains(t, err, "openapi: ", text)
	}
}

func TestFixturesAreUsed(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	require.NoError(t, err)
	used := []string{"gadgets.json", "gates-of-descriptions.yaml"}
	for _, e := range entries {
		assert.True(t, slices.Contains(used, e.Name()) || e.IsDir() && e.Name() == "fuzz", "testdata/%s: no test uses it", e.Name())
	}
}
