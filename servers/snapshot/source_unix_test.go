//go:build unix

package snapshot

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/fault"
)

// TestNoFile: only a regular file that can be read is opened.
func TestNoFile(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(written(t, "x", few(t).saved), link))
	for path, words := range map[string]string{
		dir: "is a directory", fifo: "is not a regular file", filepath.Join(dir, "missing"): "no such file or directory: name a file that this user can read", link: "",
	} {
		began := time.Now()
		s, err := Open(t.Context(), path, t.TempDir())
		assert.Less(t, time.Since(began), 10*time.Second)
		if words == "" {
			require.NoError(t, err)
			require.NoError(t, s.Close())
			continue
		}
		assert.ErrorContains(t, err, words)
		assert.True(t, fault.Is(err, fault.User))
	}
}
