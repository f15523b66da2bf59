package merge_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/reports/gather"
	"github.com/skewsim/skewsim/reports/merge"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/rundir"
)

// TestWrite: a page is written, replaced and removed; a page of another origin and a run are
// not touched.
func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	at, err := merge.Open(dir)
	require.NoError(t, err)
	m, err := merge.Write(dir, gather.Into(at), false)
	require.NoError(t, err)
	assert.NotEqual(t, term.Fail, m.Verdict)
	for _, file := range reports.MergedFiles(false) {
		assert.FileExists(t, filepath.Join(dir, file.Name))
	}
	_, err = merge.Open(dir)
	require.NoError(t, err, "its own page")
	require.NoError(t, merge.Clear(dir))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
	require.NoError(t, os.WriteFile(filepath.Join(dir, reports.MergedPage), nil, 0o600))
	_, err = merge.Open(dir)
	assert.True(t, fault.Is(err, fault.User), "the page of somebody else: %v", err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, rundir.Marker), nil, 0o600))
	_, err = merge.Open(dir)
	assert.True(t, fault.Is(err, fault.User), "a run: %v", err)
}
