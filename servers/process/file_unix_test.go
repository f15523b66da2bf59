//go:build unix

package process_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/process"
)

// TestChanged: a file whose content has changed is not executed, whatever changed it; a file
// that was only touched, or replaced by a copy, is.
func TestChanged(t *testing.T) {
	const text, other = "#!/bin/sh\nexit 0\n", "#!/bin/sh\nexit 1\n"
	for name, c := range map[string]struct {
		do      func(t *testing.T, path string)
		changed bool
	}{
		"left alone":         {func(*testing.T, string) {}, false},
		"touched":            {func(t *testing.T, path string) { require.NoError(t, os.Chtimes(path, time.Time{}, time.Unix(1, 0))) }, false},
		"replaced by a copy": {func(t *testing.T, path string) { replace(t, path, text) }, false},
		"replaced":           {func(t *testing.T, path string) { replace(t, path, other) }, true},
		"written over":       {func(t *testing.T, path string) { write(t, path, other+"\n") }, true},
		"removed":            {func(t *testing.T, path string) { require.NoError(t, os.Remove(path)) }, true},
		"replaced by one of the same time": {func(t *testing.T, path string) {
			before, err := os.Stat(path)
			require.NoError(t, err)
			replace(t, path, other)
			require.NoError(t, os.Chtimes(path, time.Time{}, before.ModTime()))
		}, true},
		"a link that names another": {func(t *testing.T, path string) {
			write(t, path+"-2", other)
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.Symlink(path+"-2", path))
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "server")
			write(t, path, text)
			file, err := process.FileOf(path)
			require.NoError(t, err)
			c.do(t, path)
			log := filepath.Join(t.TempDir(), "log")
			child, err := process.Start(process.Command{Path: path, File: file, LogPath: log})
			if c.changed {
				var changed *servers.ChangedError
				require.ErrorAs(t, err, &changed)
				assert.EqualError(t, err, "server: start: "+path+" changed while it was played: run it again")
				assert.NoFileExists(t, log)
				return
			}
			require.NoError(t, err)
			<-child.Done()
			assert.Equal(t, "exited with status 0", child.Status())
		})
	}
}

// TestFileOf: a file is identified by its content and its path.
func TestFileOf(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	write(t, one, "x")
	write(t, two, "x")
	first, err := process.FileOf(one)
	require.NoError(t, err)
	again, err := process.FileOf(one)
	require.NoError(t, err)
	assert.Equal(t, first, again)
	assert.Equal(t, "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881", first.Digest)
	copied, err := process.FileOf(two)
	require.NoError(t, err)
	assert.Equal(t, first.Digest, copied.Digest)
	assert.NotEqual(t, first, copied)
	_, err = process.FileOf(filepath.Join(dir, "three"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o700))
}

// replace replaces a file by another one, as go build does.
func replace(t *testing.T, path, text string) {
	t.Helper()
	write(t, path+"-new", text)
	require.NoError(t, os.Rename(path+"-new", path))
}
