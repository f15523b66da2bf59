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
	code := execute(t.Context(), &App{Out: &said, Err: &said}, matrixOf(out, "--etcd", "http://127.0.0.1:9"))
	assert.Equal(t, ExitUsage, code, said.String())
	assert.Contains(t, said.String(), "--etcd: ")
	assert.FileExists(t, filepath.Join(run, rundir.Marker))
	assert.FileExists(t, filepath.Join(out, "report.md"))
	assert.NoFileExists(t, filepath.Join(out, matrix.FileName))
}

// TestNothingToResume: --resume in a directory without a matrix is refused, and makes nothing
// there; in a pod of a Job, whose first try has the same arguments, it begins the matrix.
func TestNothingToResume(t *testing.T) {
	out := filepath.Join(t.TempDir(), "nosuch")
	_, said, code := ran(t, "matrix", "--resume", "--out", out)
	assert.Equal(t, ExitUsage, code, said)
	assert.Contains(t, said, "nothing to resume in "+out)
	assert.NoDirExists(t, out)
	require.NoError(t, os.Mkdir(out, 0o700))
	_, said, _ = ran(t, "matrix", "--resume", "--out", out)
	assert.Contains(t, said, "nothing to resume in "+out, "an empty directory")

	again := []string{"--resume", "--etcd", "http://127.0.0.1:9"} // ends before a server starts
	t.Setenv("JOB_COMPLETION_INDEX", "0")
	_, said, _ = ran(t, matrixOf(out, append(again, "--shard", "job/2")...)...)
	assert.NotContains(t, said, "nothing to resume")
	assert.Contains(t, said, "--etcd: ")
	require.NoError(t, os.WriteFile(filepath.Join(out, campaign.Marker), nil, 0o600))
	_, said, _ = ran(t, matrixOf(out, again...)...)
	assert.NotContains(t, said, "nothing to resume", "a matrix was killed there before it wrote its state")
}
