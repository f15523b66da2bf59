package servers_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

// TestWriteWhole: a file that could not be written to its end is as it was before, with
// nothing beside it; a link is replaced, and what it led to stays.
func TestWriteWhole(t *testing.T) {
	at := t.TempDir()
	foreign, name := filepath.Join(at, "foreign"), filepath.Join(at, "below", "file")
	require.NoError(t, os.WriteFile(foreign, []byte("theirs"), 0o600))
	require.NoError(t, servers.Keep(name, []byte("first")))
	broken := errors.New("broken")
	require.ErrorIs(t, servers.WriteWhole(name, func(w io.Writer) error {
		fmt.Fprint(w, "half")
		return broken
	}), broken)
	want := func(file, text string) {
		t.Helper()
		is, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, text, string(is))
	}
	want(name, "first")
	require.NoError(t, os.Remove(name))
	require.NoError(t, os.Symlink(foreign, name))
	require.NoError(t, servers.Keep(name, []byte("second")))
	want(name, "second")
	want(foreign, "theirs")
	left, err := os.ReadDir(filepath.Dir(name))
	require.NoError(t, err)
	assert.Len(t, left, 1)
}
