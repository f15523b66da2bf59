package scenarios_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
)

// TestMadeBy: a mutant creates what its release does, and an unknown release may create any
// object.
func TestMadeBy(t *testing.T) {
	for since, releases := range map[string]map[string]bool{
		"":                {"1.0": true, "no version": true},
		">= 1.13":         {"1.12": false, "1.13": true, "1.13+closed": true, "v1.30.0": true, "v1.13.0+closed": true, "": true},
		">= 1.20, < 1.21": {"1.19": false, "1.20": true, "1.20+create": true, "1.21": false},
	} {
		for release, want := range releases {
			made, err := scenarios.Object{Since: since}.MadeBy(release)
			require.NoError(t, err)
			assert.Equal(t, want, made, "%s: %s", since, release)
		}
	}
	_, err := scenarios.Object{Since: ">= 1.13"}.MadeBy("newest")
	assert.ErrorContains(t, err, `since: version "newest"`)
}

// TestSince: an invalid constraint is reported with its line.
func TestSince(t *testing.T) {
	load := func(since string) error {
		_, err := load.FS(fstest.MapFS{
			"x.yaml": {Data: []byte("name: x\nabout: x\nobjects:\n  o: {bystander: o.yaml, since: " + since + "}\nplay:\n- {create: o}\n")},
			"o.yaml": {Data: []byte("{apiVersion: example.dev/v1, kind: Gadget}")},
		}, "x.yaml")
		return err
	}
	require.NoError(t, load(`">= 1.13"`))
	require.EqualError(t, load("later"), `x.yaml:4: objects.o.since: "later" is not a constraint such as ">= 1.13" or ">= 1.20, < 1.21"`)
	require.ErrorContains(t, load(`""`), "is not a constraint")
}

// TestIsMutant: only releases of the reference server have mutants; in versions of other
// components the plus sign begins build metadata.
func TestIsMutant(t *testing.T) {
	for reference, want := range map[string]bool{
		"frobber@1.1+required": true, "frobber@1.1": false, "kube-apiserver@v1.37.0+build": false, "path:./a+b": false,
	} {
		assert.Equal(t, want, scenarios.IsMutant(reference), reference)
	}
}
