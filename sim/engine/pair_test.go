package engine

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/sim/pairing"
)

// requestFor is a request for a scenario.
func requestFor(r Request, s *scenarios.Scenario) Request {
	r.Scenario = s
	return r
}

// TestManifestsOfTheFile: manifests of a scenario's own pair are found relative to it, and
// checked against hashes, also if its new release is a version alone; those that the user
// names are not.
func TestManifestsOfTheFile(t *testing.T) {
	dir := t.TempDir()
	s := &scenarios.Scenario{
		Name: "x", File: filepath.Join(dir, "x.yaml"), Releases: scenarios.Releases{Of: "crd", Pair: "crd:example.dev/m@v1.0.0//crds..v1.1.0"},
	}
	for _, e := range []struct {
		flags    Request
		old, new string
	}{
		{Request{}, dir, dir},
		{Request{Pair: PairNames{New: "crd:example.dev/m@v1.2.0//crds"}}, dir, ""},
		{Request{Pair: PairNames{Pair: "crd:example.dev/m@v1.0.0//crds..v1.1.0"}}, "", ""},
	} {
		_, old, new, err := requestFor(e.flags, s).Releases()
		require.NoError(t, err)
		assert.Equal(t, e.old, old.Manifests.Within, "old of %s", old)
		assert.Equal(t, e.new, new.Manifests.Within, "new of %s", new)
	}
}

// TestPreferred: another patch may substitute for a release that only the file names, and
// never for one on the command line.
func TestPreferred(t *testing.T) {
	s := &scenarios.Scenario{Name: "x", Releases: scenarios.Releases{Of: "kube-apiserver", Pair: "kube-apiserver@v1.36.3..v1.37.0"}}
	for _, c := range []struct {
		flags    Request
		old, new bool
	}{
		{Request{}, true, true},
		{Request{Pair: PairNames{Pair: "kube-apiserver@v1.36.3..v1.37.0"}}, false, false},
		{Request{Pair: PairNames{Old: "kube-apiserver@v1.36.1"}}, false, true},
		{Request{Pair: PairNames{New: "kube-apiserver@v1.37.0"}}, true, false},
		{Request{Pair: PairNames{Releases: []string{"kube-apiserver@v1.36.3", "kube-apiserver@v1.37.0"}}}, false, false},
	} {
		_, old, new, err := requestFor(c.flags, s).Releases()
		require.NoError(t, err)
		assert.Equal(t, []bool{c.old, c.new}, []bool{old.Preferred, new.Preferred}, "%+v", c.flags)
	}
	train := &scenarios.Scenario{Name: "x", Releases: scenarios.Releases{Of: "frobber", Pair: "frobber@1.0..1.1"}}
	_, old, _, err := Request{Scenario: train}.Releases()
	require.NoError(t, err)
	assert.False(t, old.Preferred, "the reference server comes with skewsim")
}

// TestAAEmulates: in an A/A run of the new release its servers still emulate the pair's old
// release, and not their own; options that name a version stay, as do other A/A runs.
func TestAAEmulates(t *testing.T) {
	const pair = "kube-apiserver@v1.36.3..v1.37.0"
	old := scenarios.Options{EmulatedVersion: "old", MinCompatibilityVersion: "old"}
	named := scenarios.Options{EmulatedVersion: "1.35"}
	for name, c := range map[string]struct {
		flags   Request
		options scenarios.Options
		want    scenarios.Options
		problem string
	}{
		"old":              {Request{Pair: PairNames{Pair: pair}, AA: "new"}, old, scenarios.Options{EmulatedVersion: "1.36", MinCompatibilityVersion: "1.36"}, ""},
		"a version":        {Request{Pair: PairNames{Pair: pair}, AA: "new"}, named, named, ""},
		"no emulation":     {Request{Pair: PairNames{Pair: pair}, AA: "new"}, scenarios.Options{}, scenarios.Options{}, ""},
		"the old release":  {Request{Pair: PairNames{Pair: pair}, AA: "old"}, old, scenarios.Options{}, ""},
		"no A/A run":       {Request{Pair: PairNames{Pair: pair}}, old, old, ""},
		"nobody tells old": {Request{Pair: PairNames{Old: "path:/x", New: "kube-apiserver@v1.37.0"}, AA: "new"}, old, old, "x: the version of path:/x, which the servers of aa new emulate, is not known: name a released build with old"},
		"nobody asks":      {Request{Pair: PairNames{Old: "path:/x", New: "kube-apiserver@v1.37.0"}, AA: "new"}, named, named, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := &scenarios.Scenario{
				Name: "x", Releases: scenarios.Releases{Of: "kube-apiserver"}, New: c.options,
				Objects: map[string]scenarios.Object{"o": {Bystander: "o.yaml"}}, Play: []scenarios.Line{{Create: "o"}},
			}
			played, _, _, err := requestFor(c.flags, s).Releases()
			if c.problem != "" {
				require.EqualError(t, err, c.problem)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, played.New)
			assert.Equal(t, c.options, s.New, "the scenario itself stays")
			if c.flags.AA != "" {
				assert.Equal(t, played.New, played.Old)
			}
		})
	}
}

// TestSkew: Skew refuses releases that are further apart, whether the user or the file
// names them; without it any pair is accepted.
func TestSkew(t *testing.T) {
	s := &scenarios.Scenario{Name: "x", Releases: scenarios.Releases{Of: "kube-apiserver", Pair: "kube-apiserver@v1.34.4..v1.36.1"}}
	for _, c := range []struct {
		flags Request
		words string
	}{
		{Request{}, ""},
		{Request{Skew: 2}, ""},
		{Request{Skew: 1}, "skew 1: v1.34.4 and v1.36.1 are 2 minor releases apart: name a nearer pair, or a larger skew"},
		{Request{Pair: PairNames{Old: "kube-apiserver@v1.35.4"}, Skew: 1}, ""},
		{Request{Pair: PairNames{Pair: "kube-apiserver@v1.36.0..v1.36.1"}, Skew: 1}, ""},
		{Request{Pair: PairNames{Pair: "kube-apiserver@v1.36.0..v2.0.0"}, Skew: 9}, "skew 9: v1.36.0 and v2.0.0 are of different major versions: name a nearer pair, or a larger skew"},
		{Request{Pair: PairNames{Pair: "path:a..path:b"}, Skew: 1}, ""},
		{Request{Skew: -1}, "skew -1: must be 1 or more"},
	} {
		_, _, _, err := requestFor(c.flags, s).Releases()
		if c.words == "" {
			assert.NoError(t, err, "%+v", c.flags)
			continue
		}
		assert.EqualError(t, err, c.words)
	}
	built := Request{Skew: 1}
	assert.ErrorContains(t, built.near(pairing.Release{Version: "v1.34.4"}, pairing.Release{Version: "v1.37.0-rc.1"}), "3 minor releases apart", "of a path it is known when it is built")
}

// TestKinds: a run of some kinds gets the definitions of these, through all of its servers; any other run gets
// all of them.
func TestKinds(t *testing.T) {
	s := &scenarios.Scenario{Name: "x", Releases: scenarios.Releases{Of: "crd", Pair: "crd:old..crd:new"}}
	for want, kinds := range map[string][]string{"": nil, "A,B.example.dev": {"A", "B.example.dev"}} {
		_, old, new, err := requestFor(Request{Kinds: kinds}, s).Releases()
		require.NoError(t, err)
		assert.Equal(t, []string{want, want}, []string{old.Manifests.Kinds, new.Manifests.Kinds})
	}
}
