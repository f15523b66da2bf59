package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/rundir"
)

// TestMatrixAsksTheStoreFirst: if the store is not available, an earlier matrix stays as
// it was.
func TestMatrixAsksTheStoreFirst(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	run := filepath.Join(out, "pair", "run")
	require.NoError(t, os.MkdirAll(run, 0o700))
	for _, name := range []string{filepath.Join(out, campaign.Marker), filepath.Join(out, "report.md"), filepath.Join(run, rundir.Marker)} {
		require.NoError(t, os.WriteFile(name, nil, 0o600))
	}
	var said bytes.Buffer
	code := (&app{out: &said, err: &said}).execute(t.Context(), matrixOf(out, "--etcd", "http://127.0.0.1:9"))
	assert.Equal(t, exitUsage, code, said.String())
	assert.Contains(t, said.String(), "--etcd: ")
	assert.FileExists(t, filepath.Join(run, rundir.Marker))
	assert.FileExists(t, filepath.Join(out, "report.md"))
	assert.NoFileExists(t, filepath.Join(out, matrix.FileName))
}
