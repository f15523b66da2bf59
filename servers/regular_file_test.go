package servers_test

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

// TestOpenRegular: a pipe is refused without waiting for a writer, directly and behind a link; a file is
// opened, behind a link too.
func TestOpenRegular(t *testing.T) {
	dir := t.TempDir()
	pipe, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "file")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	require.NoError(t, os.WriteFile(file, []byte("content"), 0o600))
	for name, target := range map[string]string{"to-pipe": pipe, "to-file": file} {
		require.NoError(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	for _, name := range []string{"pipe", "to-pipe", "."} {
		_, err := servers.OpenRegular(filepath.Join(dir, name))
		assert.ErrorContains(t, err, "not a regular file", name)
	}
	_, err := servers.OpenRegular(filepath.Join(dir, "absent"))
	assert.ErrorIs(t, err, os.ErrNotExist)
	for _, name := range []string{"file", "to-file"} {
		f, err := servers.OpenRegular(filepath.Join(dir, name))
		require.NoError(t, err)
		content, err := io.ReadAll(f)
		require.NoError(t, err)
		assert.Equal(t, "content", string(content))
		require.NoError(t, f.Close())
	}

	_, err = servers.ReadRegular(filepath.Join(dir, "to-pipe"), 7)
	assert.ErrorContains(t, err, "not a regular file")
	content, err := servers.ReadRegular(file, 7)
	require.NoError(t, err)
	assert.Equal(t, "content", string(content))
	_, err = servers.ReadRegular(file, 6)
	assert.ErrorContains(t, err, "file: larger than")
}
