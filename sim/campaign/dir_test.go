package campaign

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/rundir"
)

// TestDir: a directory belongs to one matrix at a time; clear removes the files of an
// earlier matrix, and no others.
func TestDir(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	d, _, err := openDir(out, true) // without an earlier matrix
	require.NoError(t, err)
	_, _, err = openDir(out, true)
	assert.ErrorContains(t, err, "another matrix is writing there: wait for it, or name another directory")
	assert.False(t, fault.Is(err, fault.User), "nothing is wrong with what was given, and by and by it is free")
	d.update(func(s *matrix.State) { s.SchemaVersion, s.Phase = matrix.Version, matrix.Running })
	require.NoError(t, d.close())

	elsewhere := filepath.Join(t.TempDir(), "mine")
	for _, name := range []string{filepath.Join(out, "pair", "run"), filepath.Join(out, "pair", "notes"), filepath.Join(out, "other", "run"), elsewhere} {
		require.NoError(t, os.MkdirAll(name, 0o700))
	}
	for _, name := range []string{filepath.Join(out, "pair", "run", rundir.Marker), filepath.Join(out, "other", "run", rundir.Marker), filepath.Join(elsewhere, rundir.Marker), filepath.Join(out, ".new-1")} {
		require.NoError(t, os.WriteFile(name, nil, 0o600))
	}
	require.NoError(t, os.Symlink(elsewhere, filepath.Join(out, "pair", "link")))
	require.NoError(t, os.WriteFile(filepath.Join(out, "notes.md"), nil, 0o600))
	d, earlier, err := openDir(out, true)
	require.NoError(t, err)
	require.NoError(t, d.clear(true))
	assert.FileExists(t, filepath.Join(out, "notes.md"))
	assert.Equal(t, matrix.Running, earlier.Phase)
	assert.DirExists(t, filepath.Join(out, "pair", "run"))
	assert.NoFileExists(t, filepath.Join(out, ".new-1"))
	require.NoError(t, d.close())

	d, _, err = openDir(out, false)
	require.NoError(t, err)
	defer d.close()
	assert.DirExists(t, filepath.Join(out, "pair", "run"))
	require.NoError(t, d.clear(false))
	assert.FileExists(t, filepath.Join(out, "notes.md"))
	assert.NoDirExists(t, filepath.Join(out, "pair", "run"))
	assert.NoDirExists(t, filepath.Join(out, "other"))
	assert.DirExists(t, filepath.Join(out, "pair", "notes"))
	assert.FileExists(t, filepath.Join(elsewhere, rundir.Marker))
	assert.NoFileExists(t, filepath.Join(out, matrix.FileName))
}

// TestUnbuiltIsOfThisMatrix: the errors of an earlier matrix's builds are removed when no
// build fails.
func TestUnbuiltIsOfThisMatrix(t *testing.T) {
	d := &Dir{Path: t.TempDir()}
	require.NoError(t, d.keepUnbuilt([]string{"a", "b"}))
	raw, err := os.ReadFile(filepath.Join(d.Path, unbuiltFile))
	require.NoError(t, err)
	assert.Equal(t, "a\n\nb\n", string(raw))
	require.NoError(t, d.keepUnbuilt(nil))
	assert.NoFileExists(t, filepath.Join(d.Path, unbuiltFile))
	require.NoError(t, d.keepUnbuilt(nil))
}
