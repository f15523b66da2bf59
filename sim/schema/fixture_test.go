package schema_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/schema"
)

const apiVersion = "example.dev/v1"

func document(t testing.TB) []byte {
	t.Helper()
	raw, err := os.ReadFile("testdata/gadgets.json")
	require.NoError(t, err)
	return raw
}

// gadget is the kind of testdata, with every sort of field in it.
func gadget(t testing.TB) schema.Kind {
	t.Helper()
	s, err := schema.Parse([][]byte{document(t)})
	require.NoError(t, err)
	k, ok := s.Kind(apiVersion, "Gadget")
	require.True(t, ok)
	return k
}

// object reads JSON as the clients do.
func object(t testing.TB, text string) map[string]any {
	t.Helper()
	var o map[string]any
	require.NoError(t, utiljson.Unmarshal([]byte(text), &o))
	return o
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return string(raw)
}

func at(t testing.TB, text string) fieldpath.Path {
	t.Helper()
	p, err := path.Parse(text)
	require.NoError(t, err)
	return p
}
