package rundir

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/fault"
)

// TestScratch: a directory for temporary files that does not exist, or is a file, is the user's, and is named with
// its variable.
func TestScratch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, dir := range []string{file, filepath.Join(file, "below"), filepath.Join(t.TempDir(), "none")} {
		t.Setenv("TMPDIR", dir)
		_, err := Scratch("x-")
		require.Error(t, err)
		assert.True(t, fault.Is(err, fault.User))
		assert.Contains(t, err.Error(), dir)
		assert.Contains(t, err.Error(), "TMPDIR")
	}
	t.Setenv("TMPDIR", t.TempDir())
	dir, err := Scratch("x-")
	require.NoError(t, err)
	assert.DirExists(t, dir)
}
