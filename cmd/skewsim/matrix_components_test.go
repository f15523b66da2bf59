package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/pairing"
)

// laidOut is what a matrix would play, or what it is refused with.
func laidOut(t *testing.T, args ...string) (s matrix.State, told string) {
	t.Helper()
	code, said, told := called(append([]string{"matrix", "--list", "--format", "json"}, args...)...)
	if code != exitExpected {
		require.Equal(t, exitUsage, code, told)
		return s, told
	}
	require.NoError(t, json.Unmarshal([]byte(said), &s))
	return s, ""
}

// cellsOf are the cells of a matrix, and left the kinds of reasons that others are not.
func cellsOf(s matrix.State) (cells []string, left []pairing.Kind) {
	for _, c := range s.Cells {
		cells = append(cells, c.Scenario)
	}
	for _, e := range s.Excluded {
		left = append(left, e.Kind)
	}
	slices.Sort(left)
	return cells, slices.Compact(left)
}

const (
	samplePair = "module:k8s.io/sample-apiserver@v0.35.4..v0.37.0"
	fishPair   = "module:example.dev/fish@v0.1.0..v0.2.0"
)

// TestMatrixOfModules: a module's pair is played with the scenarios of its component, which
// is that of the adapter; any other is told of, and ends nothing.
func TestMatrixOfModules(t *testing.T) {
	for name, c := range map[string]struct {
		args  []string
		cells []string
		left  []pairing.Kind
	}{
		"none named":        {[]string{"--pairs", samplePair}, []string{"flunder", "flunder-reference"}, nil},
		"with others":       {[]string{"--pairs", samplePair + ",kube-apiserver@v1.35.4..v1.36.1", "aggregated/flunder", "quiet"}, []string{"flunder", "quiet"}, []pairing.Kind{pairing.Component}},
		"with a constraint": {[]string{"--pairs", samplePair, "aggregated/flunder", "control"}, []string{"flunder"}, []pairing.Kind{pairing.Component}},
		"a fork":            {[]string{"--pairs", fishPair, "aggregated/flunder"}, []string{"flunder"}, nil},
		"a list":            {[]string{"--releases", "module:k8s.io/sample-apiserver@v0.37.0,v0.35.4"}, []string{"flunder", "flunder-reference"}, nil},
	} {
		s, told := laidOut(t, c.args...)
		cells, left := cellsOf(s)
		assert.Equal(t, c.cells, cells, "%s: %s", name, told)
		assert.Equal(t, c.left, left, name)
	}
	_, told := laidOut(t, "--pairs", samplePair, "control")
	assert.Contains(t, told, "control: the scenario is of kube-apiserver, and the pair of sample-apiserver (module:k8s.io/sample-apiserver@v0.35.4..")
	_, told = laidOut(t, "--pairs", fishPair)
	assert.Contains(t, told, "nothing to play: the catalogue has no scenario of fish: name scenarios")
	mine := filepath.Join("..", "..", "scenarios", "crd", "manifests")
	_, told = laidOut(t, "--pairs", "crd:"+filepath.Join(mine, "old")+"..crd:"+filepath.Join(mine, "new"))
	assert.Contains(t, told, "nothing to play: the catalogue's scenarios of crd are about definitions of their own: name scenarios of yours")
}

// TestComponentsOf: a pair's component is that of the end that tells it, also by an image's
// name; where none does, the pair may be of any that images hold.
func TestComponentsOf(t *testing.T) {
	const id = "image:sha256:3b1f0e0c9d5a4f7e8b6c2d1a0f9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c4b3a2f1e"
	for pair, want := range map[string][]string{
		"frobber@1.0..1.1":         {"frobber"},
		"path:a..source:b":         {"kube-apiserver"},
		samplePair:                 {"sample-apiserver"},
		"image:x/y:1..image:x/y":   {"frobber", "kube-apiserver"},
		"image:x/y:1.." + id:       {"frobber", "kube-apiserver"},
		"image:x/y:1..path:b":      {"kube-apiserver"},
		"image:x/y:1..frobber@1.1": {"frobber"},
		"image:registry.k8s.io/kube-apiserver:v1.36.1..image:x/y:2":       {"kube-apiserver"},
		"image:x/y:1..image:localhost:5000/skewsim/frobber-apiserver:1.1": {"frobber"},
		"image:x/frobber-apiserver/y:1..image:x/y:2":                      {"frobber", "kube-apiserver"},
	} {
		p, err := newApp().pairNamed(t.Context(), pair, matrixFlags{})
		require.NoError(t, err, pair)
		assert.Equal(t, want, componentsOf([]pairing.Pair{p}), pair)
	}
	names, err := catalogueOf(nil)
	require.NoError(t, err)
	assert.Empty(t, names)
}

// TestPairsAmong: a list's neighbours, each component and each module for itself; what is
// no list, and what would be in no pair, is told.
func TestPairsAmong(t *testing.T) {
	for list, want := range map[string][]string{
		"kube-apiserver@v1.36,v1.34.4,v1.35.4,v1.35.4":                       {"kube-apiserver@v1.34.4..v1.35.4", "kube-apiserver@v1.35.4..v1.36"},
		"frobber@1.3+forgets,1.3":                                            {"frobber@1.3..1.3+forgets"},
		"module:a.b/c@v0.2.0,v0.1.0,module:a.b/d@v0.1.5,module:a.b/d@v0.3.0": {"module:a.b/c@v0.1.0..module:a.b/c@v0.2.0", "module:a.b/d@v0.1.5..module:a.b/d@v0.3.0"},
	} {
		pairs, err := newApp().pairsAmong(t.Context(), list, matrixFlags{})
		require.NoError(t, err, list)
		var got []string
		for _, p := range pairs {
			got = append(got, p.String())
		}
		assert.Equal(t, want, got, list)
	}
	const alone = ", and a pair is of two: name another, or a release and itself with --pairs"
	for list, want := range map[string]string{
		"frobber@1.0":                             "frobber@1.0: is the only release of frobber there" + alone,
		"frobber@1.0,frobber@1.0":                 "frobber@1.0: is the only release of frobber there" + alone,
		"frobber@1.0,1.1,kube-apiserver@v1.36.1":  "kube-apiserver@v1.36.1: is the only release of kube-apiserver there" + alone,
		"module:a.b/c@v0.1.0,module:a.b/d@v0.2.0": "module:a.b/c@v0.1.0: is the only release of a.b/c there" + alone,
		"kube-apiserver@v1.36,v1.35.4,v1.36.1":    "kube-apiserver@v1.36 and kube-apiserver@v1.36.1: one is the newest patch of its minor, so only the builds tell which is newer, or whether they are one: leave one out, or name their pair with --pairs",
		"frobber@1.0,path:x":                      "path:x: has no version by which it could be put in order: name its pairs with --pairs",
	} {
		_, err := newApp().pairsAmong(t.Context(), list, matrixFlags{skew: 1})
		assert.EqualError(t, err, `--releases "`+list+`": `+want)
	}
}

// TestPairOfAMinor: a minor alone is any patch of it until it is built, and none of another.
func TestPairOfAMinor(t *testing.T) {
	for _, pair := range []string{"kube-apiserver@v1.36.1..v1.36", "kube-apiserver@v1.36..v1.36.1"} {
		s, told := laidOut(t, "quiet", "--pairs", pair)
		assert.Len(t, s.Cells, 1, told)
	}
	_, told := laidOut(t, "quiet", "--pairs", "kube-apiserver@v1.36.1..v1.35")
	assert.Contains(t, told, "the old release v1.36.1 is newer than the new one v1.35: swap them")
}
