package engine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
)

// TestCatalogueChoosesPrograms: a file of the catalogue comes with skewsim.
func TestCatalogueChoosesPrograms(t *testing.T) {
	refs := []servers.Reference{{Scheme: servers.SchemePath, Path: "/a"}}
	s := &scenarios.Scenario{Releases: scenarios.Releases{Pair: "path:/a..path:/b"}}
	assert.Len(t, Request{Scenario: s}.programs(t.Context(), refs), 1)
	s.BuiltIn = true
	assert.Empty(t, Request{Scenario: s}.programs(t.Context(), refs))
}

// TestChartChoosesPrograms: helm executes what a chart says, so a chart that a file names needs leave; the same folder without Chart.yaml
// does not, and a chart that the user names neither.
func TestChartChoosesPrograms(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("old/Chart.yaml", "name: widgets")
	write("new/a.yaml", "kind: List")
	s := &scenarios.Scenario{File: filepath.Join(dir, "s.yaml"), Releases: scenarios.Releases{Pair: "crd:old..crd:new"}}
	assert.Equal(t, []string{"crd:old"}, ChartsOf(t.Context(), s))
	old, new, err := servers.ParsePair(s.Releases.Pair)
	require.NoError(t, err)
	old, new = Place(s, old, new, func(servers.Reference) bool { return true })
	r := Request{Scenario: s}
	chosen := r.programs(t.Context(), []servers.Reference{old, new})
	assert.Equal(t, []string{"crd:old, a Helm chart"}, chosen)
	assert.ErrorContains(t, r.checkPrograms(chosen), "allow-programs")
	old.Manifests.Within = ""
	assert.Empty(t, r.programs(t.Context(), []servers.Reference{old, new}))
}
