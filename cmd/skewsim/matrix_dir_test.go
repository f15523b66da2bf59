package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/matrix"
)

// TestMatrixDirUnwritten: a state that could not be written is no harm once it is, and an
// error where it is not at last.
func TestMatrixDirUnwritten(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	d, _, err := openMatrixDir(out, true)
	require.NoError(t, err)
	defer d.close()
	inTheWay := filepath.Join(out, matrixFile, "x")
	none := func(s *matrix.State) { s.SchemaVersion = matrix.Version }
	require.NoError(t, os.MkdirAll(inTheWay, 0o700))
	d.update(none)
	assert.ErrorContains(t, d.err, matrixFile)
	require.NoError(t, os.RemoveAll(filepath.Dir(inTheWay)))
	d.update(none)
	assert.NoError(t, d.err)
	assert.Equal(t, matrix.Version, stateIn(t, out).SchemaVersion)
	require.NoError(t, os.Remove(filepath.Join(out, matrixFile)))
	require.NoError(t, os.MkdirAll(inTheWay, 0o700))
	d.update(none)
	assert.ErrorContains(t, d.err, matrixFile)
}

// TestMatrixDirOfAnothersPage: a page that no matrix has left stays, and is told.
func TestMatrixDirOfAnothersPage(t *testing.T) {
	out := t.TempDir()
	for _, name := range []string{matrixMarker, mergedPage} {
		require.NoError(t, os.WriteFile(filepath.Join(out, name), []byte(name), 0o600))
	}
	before := contentsOf(t, out)
	code, _, told := called(matrixOf(out)...)
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, told, "it holds an index.html that merge did not write")
	assert.Equal(t, before, contentsOf(t, out))
}
