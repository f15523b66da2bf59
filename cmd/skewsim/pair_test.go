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

// TestSkew: who asks for releases that are near is refused others, on the same terms
// whether these are named or only the file's; who asks for nothing gets any.
func TestSkew(t *testing.T) {
	s := &scenarios.Scenario{Name: "x", Releases: scenarios.Releases{Of: "kube-apiserver", Pair: "kube-apiserver@v1.34.4..v1.36.1"}}
	for _, c := range []struct {
		flags pairFlags
		words string
	}{
		{pairFlags{}, ""},
		{pairFlags{skew: 2}, ""},
		{pairFlags{skew: 1}, "--skew 1: v1.34.4 and v1.36.1 are 2 minor releases apart: name a nearer pair, or a larger --skew"},
		{pairFlags{skew: 1, old: "kube-apiserver@v1.35.4"}, ""},
		{pairFlags{skew: 1, pair: "kube-apiserver@v1.36.0..v1.36.1"}, ""},
		{pairFlags{skew: 9, pair: "kube-apiserver@v1.36.0..v2.0.0"}, "--skew 9: v1.36.0 and v2.0.0 are of different major versions: name a nearer pair, or a larger --skew"},
		{pairFlags{skew: 1, pair: "path:a..path:b"}, ""},
		{pairFlags{skew: -1}, "--skew -1: must be 1 or more"},
	} {
		_, _, _, err := c.flags.pairOf(s)
		if c.words == "" {
			assert.NoError(t, err, "%+v", c.flags)
			continue
		}
		assert.EqualError(t, err, c.words)
	}
	built := pairFlags{skew: 1}
	assert.ErrorContains(t, built.near(end{"kube-apiserver", "v1.34.4"}, end{"kube-apiserver", "v1.37.0-rc.1"}), "3 minor releases apart", "of a path it is known when it is built")
}
