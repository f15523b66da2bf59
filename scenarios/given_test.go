package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// TestPlaceOfWhatIsGiven: what was given on the command line stands there, and what the
// file says stands in the file, though the one is laid over the other.
func TestPlaceOfWhatIsGiven(t *testing.T) {
	s := &scenarios.Scenario{File: "x.yaml", Lines: map[string]int{"new": 4, "new.featureGates": 5, "new.featureGates.A": 6, "new.flags": 7}}
	played := s.WithGiven(map[term.Role]scenarios.Options{term.New: {
		FeatureGates: map[string]bool{"B": true}, RuntimeConfig: map[string]bool{"api/all": true}, EmulatedVersion: "1.36",
	}})
	for part, want := range map[string]string{
		"new.featureGates.A":          "x.yaml:6",
		"new.featureGates.B":          "--new-feature-gates",
		"new.runtimeConfig":           "--new-runtime-config",
		"new.emulatedVersion":         "--new-emulated-version",
		"new.minCompatibilityVersion": "x.yaml:4",
		"new.flags":                   "x.yaml:7",
	} {
		assert.Equal(t, want, played.Place(part), part)
	}
	assert.Equal(t, "x.yaml:5", s.Place("new.featureGates.B"), "nobody has given it there")
}

// TestAARunOfWhatIsGiven: both releases of an A/A run have the options of its release and the
// options that the user gave for it.
func TestAARunOfWhatIsGiven(t *testing.T) {
	s := &scenarios.Scenario{Name: "x", Objects: map[string]scenarios.Object{"o": {Bystander: "o.yaml"}}, Play: []scenarios.Line{{Create: "o"}}}
	given := map[term.Role]scenarios.Options{term.Old: {Flags: []string{"--v=2"}}}
	old, err := s.WithGiven(given).AARun(term.Old)
	require.NoError(t, err)
	assert.Equal(t, given[term.Old], old.New)
	assert.Equal(t, given[term.Old], old.Given[term.New])
	new, err := s.WithGiven(given).AARun(term.New)
	require.NoError(t, err)
	assert.Empty(t, new.Old.Flags)
}
