package preflight

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write golden files anew")

// TestJSONSchema holds the schema in docs/: field names are a contract.
func TestJSONSchema(t *testing.T) {
	const file = "../../docs/preflight.schema.json"
	got, err := JSONSchema()
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), "if the change is meant, run make update, and raise the version when a field went or changed")
}
