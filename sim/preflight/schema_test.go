package preflight

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/result"
)

var update = flag.Bool("update", false, "write golden files anew")

// TestJSONSchema holds the schema in docs/: field names are a contract.
func TestJSONSchema(t *testing.T) {
	const file = "../../docs/preflight.schema.json"
	got, err := result.SchemaOf(Result{}, "What an upgrade and a rollback do to the objects of a store")
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), "if the change is meant, run make update, and raise the version when a field went or changed")
}
