package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/sim/campaign"
)

// TestMatrixDirOfAnothersPage: a page that no matrix has written stays, and is reported.
func TestMatrixDirOfAnothersPage(t *testing.T) {
	out := t.TempDir()
	for _, name := range []string{campaign.Marker, reports.MergedPage} {
		require.NoError(t, os.WriteFile(filepath.Join(out, name), []byte(name), 0o600))
	}
	before := contentsOf(t, out)
	code, _, told := called(matrixOf(out)...)
	assert.Equal(t, ExitUsage, code)
	assert.Contains(t, told, "it holds an index.html that merge did not write")
	assert.Equal(t, before, contentsOf(t, out))
}
