package train_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/frobber/release"
	"github.com/skewsim/skewsim/servers/frobber/train"
)

// find makes an existing release.
func find(t testing.TB, name string) *release.Release {
	t.Helper()
	r, err := train.Find(name)
	require.NoError(t, err)
	return r
}

// right returns the correct releases, the oldest first.
func right(t testing.TB) []*release.Release {
	t.Helper()
	var all []*release.Release
	for _, name := range train.Names() {
		all = append(all, find(t, name))
	}
	return all
}

// until returns the correct releases before a release, and that release.
func until(t testing.TB, last *release.Release) []*release.Release {
	t.Helper()
	var all []*release.Release
	for _, r := range right(t) {
		if r.Name == last.Name {
			break
		}
		all = append(all, r)
	}
	return append(all, last)
}

// wrong returns the mutants of all releases.
func wrong(t testing.TB) []*release.Release {
	t.Helper()
	var all []*release.Release
	for _, name := range train.Names() {
		for _, mutant := range train.Mutants(name) {
			all = append(all, find(t, name+"+"+mutant))
		}
	}
	return all
}

func TestFind(t *testing.T) {
	for _, r := range right(t) {
		assert.Empty(t, r.Mutant)
		assert.Equal(t, r.Name, r.String())
	}
	names := map[string]bool{}
	for _, r := range wrong(t) {
		names[r.String()] = true
	}
	assert.Len(t, names, len(wrong(t)))
	assert.True(t, names["1.1+required"])
	_, isStored := find(t, "1.4").Version(find(t, "1.4").Storage)
	assert.True(t, isStored)
}

func TestFindErrors(t *testing.T) {
	releases := "(releases: " + strings.Join(train.Names(), ", ") + ")"
	assert.Contains(t, releases, "1.0, 1.1, 1.2")
	for name, want := range map[string]string{
		"0.9":          `release "0.9": not on the train ` + releases,
		"":             `release "": not on the train ` + releases,
		"0.9+required": `release "0.9+required": not on the train ` + releases,
		"1.1+forgets":  `release "1.1+forgets": 1.1 has no mutant "forgets" (mutants: meaning, null, refuses, required, rewrites, value)`,
		"1.1+":         `release "1.1+": 1.1 has no mutant "" (mutants: meaning, null, refuses, required, rewrites, value)`,
		"1.0+required": `release "1.0+required": 1.0 has no mutant "required" (mutants: none)`,
	} {
		_, err := train.Find(name)
		assert.EqualError(t, err, want)
	}
}

// TestReleasesShareNothing: a change of one release changes no other.
func TestReleasesShareNothing(t *testing.T) {
	broken := find(t, "1.3")
	broken.Versions[0].Name, broken.Rules[0] = "v0", release.Rule{}
	clear(broken.Gates)
	again := find(t, "1.3")
	assert.Equal(t, "v6", again.Versions[0].Name)
	assert.NotNil(t, again.Rules[0].Observe)
	assert.Len(t, again.Gates, 1)
}
