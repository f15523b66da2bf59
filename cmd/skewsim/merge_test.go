package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/reports/gather"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/rundir"
)

// TestWriteMerged: a page is written, replaced and removed; a page of another origin and a run are
// not touched.
func TestWriteMerged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	at, err := openMerged(dir)
	require.NoError(t, err)
	m, err := writeAllMerged(dir, gather.Into(at), false)
	require.NoError(t, err)
	assert.NotEqual(t, term.Fail, m.Verdict)
	for _, file := range reports.MergedFiles(false) {
		assert.FileExists(t, filepath.Join(dir, file.Name))
	}
	_, err = openMerged(dir)
	require.NoError(t, err, "its own page")
	require.NoError(t, clearMerged(dir))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
	require.NoError(t, os.WriteFile(filepath.Join(dir, reports.MergedPage), nil, 0o600))
	_, err = openMerged(dir)
	assert.True(t, fault.Is(err, fault.User), "the page of somebody else: %v", err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, rundir.Marker), nil, 0o600))
	_, err = openMerged(dir)
	assert.True(t, fault.Is(err, fault.User), "a run: %v", err)
}
