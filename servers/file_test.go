package servers_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

// TestFileCheck: whatever is put in the place of a file is told, also of the same size and
// content; what only has another name, or is read, is the same.
func TestFileCheck(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(path string) error
		same bool
	}{
		"replaced, as go build does it": {func(path string) error {
			if err := os.WriteFile(path+".new", []byte("one"), 0o700); err != nil {
				return err
			}
			was, err := os.Stat(path)
			if err != nil {
				return err
			}
			if err := os.Chtimes(path+".new", was.ModTime(), was.ModTime()); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		}, false},
		"longer": {func(path string) error {
			was, err := os.Stat(path)
			if err != nil {
				return err
			}
			if err := os.WriteFile(path, []byte("longer"), 0o700); err != nil {
				return err
			}
			return os.Chtimes(path, was.ModTime(), was.ModTime())
		}, false},
		"written": {func(path string) error { return os.Chtimes(path, time.Time{}, time.Unix(1, 0)) }, false},
		"gone":    {os.Remove, false},
		"read and linked": {func(path string) error {
			_, err := os.ReadFile(path)
			return errors.Join(err, os.Link(path, path+".2"))
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "server")
			require.NoError(t, os.WriteFile(path, []byte("one"), 0o700))
			f, err := servers.FileAt(path)
			require.NoError(t, err)
			require.NoError(t, f.Check())
			require.NoError(t, c.do(path))
			if c.same {
				assert.NoError(t, f.Check())
				return
			}
			assert.EqualError(t, f.Check(), path+" changed while it was played, so nobody knows which was: run it again")
			assert.ErrorAs(t, f.Check(), new(*servers.ReplacedError))
		})
	}
	var cached *servers.File
	assert.NoError(t, cached.Check())
	_, err := servers.FileAt(filepath.Join(t.TempDir(), "none"))
	assert.Error(t, err)
}
