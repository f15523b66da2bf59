package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	fromfile "github.com/skewsim/skewsim/scenarios/load"
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

// checks counts what is checked of references, which reads what a file names.
type checks int

func (n *checks) Known(context.Context, ...servers.Reference) error { *n++; return nil }

func (n *checks) CheckReplaced(context.Context, *scenarios.Scenario, ...servers.Reference) error {
	*n++
	return nil
}

func (n *checks) CheckAdapters(*scenarios.Scenario, ...servers.Reference) error { *n++; return nil }

func (n *checks) CheckPrograms(context.Context, ...servers.Reference) error { *n++; return nil }

// TestProgramsAreCheckedFirst: nothing is read for a file that chooses programs without leave; with leave, or if it chooses none, all is.
func TestProgramsAreCheckedFirst(t *testing.T) {
	const text = "name: s\nabout: x\nreleases: {of: crd, pair: crd:old..crd:new%s}\nobjects: {x: {treated: x.yaml, bystander: x.yaml}}\nplay:\n- {create: x}\n"
	for name, c := range map[string]struct {
		programs string
		allows   bool
		want     checks
	}{
		"it chooses a program":            {programs: ", programs: p.yaml"},
		"it chooses a program with leave": {programs: ", programs: p.yaml", allows: true, want: 4},
		"it chooses none":                 {want: 4},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := fromfile.FS(fstest.MapFS{
				"s.yaml": {Data: fmt.Appendf(nil, text, c.programs)},
				"x.yaml": {Data: []byte("{apiVersion: example.dev/v1, kind: Gadget, spec: {size: 1}}")},
			}, "s.yaml")
			require.NoError(t, err)
			var n checks
			_, err = Prepare(t.Context(), &n, Request{Scenario: s, AllowPrograms: c.allows, Timeout: time.Minute})
			assert.Equal(t, c.want == 0, err != nil, err)
			assert.Equal(t, c.want, n)
		})
	}
}
