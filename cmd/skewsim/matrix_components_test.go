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
	if code != ExitExpected {
		require.Equal(t, ExitUsage, code, told)
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
// the adapter names; any other is reported, and ends nothing.
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
	assert.Contains(t, told, "nothing to run: the catalogue has no scenario of fish: name scenarios")
	mine := filepath.Join("..", "..", "scenarios", "crd", "manifests")
	_, told = laidOut(t, "--pairs", "crd:"+filepath.Join(mine, "old")+"..crd:"+filepath.Join(mine, "new"))
	assert.Contains(t, told, "nothing to run: the catalogue's scenarios of crd are about definitions of their own: name your own scenarios")
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
