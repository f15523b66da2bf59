package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
)

// TestManifestsOfTheFile: what a scenario's own pair names is looked for, and held against
// hashes, beside it, also where its new end is a version alone; what the user names is not.
func TestManifestsOfTheFile(t *testing.T) {
	dir := t.TempDir()
	s := &scenarios.Scenario{
		Name: "x", File: filepath.Join(dir, "x.yaml"), Releases: scenarios.Releases{Of: "crd", Pair: "crd:example.dev/m@v1.0.0//crds..v1.1.0"},
	}
	for _, e := range []struct {
		flags    pairFlags
		old, new string
	}{
		{pairFlags{}, dir, dir},
		{pairFlags{new: "crd:example.dev/m@v1.2.0//crds"}, dir, ""},
		{pairFlags{pair: "crd:example.dev/m@v1.0.0//crds..v1.1.0"}, "", ""},
	} {
		_, old, new, err := e.flags.pairOf(s)
		require.NoError(t, err)
		assert.Equal(t, e.old, old.Manifests.Within, "old of %s", old)
		assert.Equal(t, e.new, new.Manifests.Within, "new of %s", new)
	}
}

// TestPreferred: another patch may serve for a release that only the file names; who
// names one on the command line means it.
func TestPreferred(t *testing.T) {
	s := &scenarios.Scenario{Name: "x", Releases: scenarios.Releases{Of: "kube-apiserver", Pair: "kube-apiserver@v1.36.3..v1.37.0"}}
	for _, c := range []struct {
		flags    pairFlags
		old, new bool
	}{
		{pairFlags{}, true, true},
		{pairFlags{pair: "kube-apiserver@v1.36.3..v1.37.0"}, false, false},
		{pairFlags{old: "kube-apiserver@v1.36.1"}, false, true},
		{pairFlags{new: "kube-apiserver@v1.37.0"}, true, false},
		{pairFlags{releases: []string{"kube-apiserver@v1.36.3", "kube-apiserver@v1.37.0"}}, false, false},
	} {
		_, old, new, err := c.flags.pairOf(s)
		require.NoError(t, err)
		assert.Equal(t, []bool{c.old, c.new}, []bool{old.Preferred, new.Preferred}, "%+v", c.flags)
	}
	train := &scenarios.Scenario{Name: "x", Releases: scenarios.Releases{Of: "frobber", Pair: "frobber@1.0..1.1"}}
	_, old, _, err := (&pairFlags{}).pairOf(train)
	require.NoError(t, err)
	assert.False(t, old.Preferred, "the reference server comes with skewsim")
}

// TestPlaceboEmulates: with the new release at both ends its servers still emulate the old
// one of the pair, and not their own; what names a version stays, as do other placebos.
func TestPlaceboEmulates(t *testing.T) {
	const pair = "kube-apiserver@v1.36.3..v1.37.0"
	old := scenarios.Options{EmulatedVersion: "old", MinCompatibilityVersion: "old"}
	named := scenarios.Options{EmulatedVersion: "1.35"}
	for name, c := range map[string]struct {
		flags   pairFlags
		options scenarios.Options
		want    scenarios.Options
		problem string
	}{
		"old":              {pairFlags{pair: pair, placebo: "new"}, old, scenarios.Options{EmulatedVersion: "1.36", MinCompatibilityVersion: "1.36"}, ""},
		"a version":        {pairFlags{pair: pair, placebo: "new"}, named, named, ""},
		"no emulation":     {pairFlags{pair: pair, placebo: "new"}, scenarios.Options{}, scenarios.Options{}, ""},
		"the old release":  {pairFlags{pair: pair, placebo: "old"}, old, scenarios.Options{}, ""},
		"no placebo":       {pairFlags{pair: pair}, old, old, ""},
		"nobody tells old": {pairFlags{old: "path:/x", new: "kube-apiserver@v1.37.0", placebo: "new"}, old, old, "x: nothing tells the version of path:/x, which the servers of --placebo new are to emulate: name a released build with --old"},
		"nobody asks":      {pairFlags{old: "path:/x", new: "kube-apiserver@v1.37.0", placebo: "new"}, named, named, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := &scenarios.Scenario{
				Name: "x", Releases: scenarios.Releases{Of: "kube-apiserver"}, New: c.options,
				Objects: map[string]scenarios.Object{"o": {Bystander: "o.yaml"}}, Play: []scenarios.Line{{Create: "o"}},
			}
			played, _, _, err := c.flags.pairOf(s)
			if c.problem != "" {
				require.EqualError(t, err, c.problem)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, played.New)
			assert.Equal(t, c.options, s.New, "the scenario itself stays")
			if c.flags.placebo != "" {
				assert.Equal(t, played.New, played.Old)
			}
		})
	}
}
