package run

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
)

// TestOptionsOfStages: a stage of gates is the server's own word for it, with what
// its gates were found to hang on; what the scenario says of a gate stays.
func TestOptionsOfStages(t *testing.T) {
	w := newWalker(t.Context(), config(t, newWorld(t), smallPlan(t, small)), nil)
	w.config.Plan.Releases[1].Options = scenarios.Options{
		Gates: term.AlphaGates, FeatureGates: map[string]bool{"Glow": false, "Base": false},
	}
	assert.Equal(t, map[string]bool{"AllAlpha": true, "Glow": false, "Base": false}, w.options(term.New).FeatureGates)

	assert.Equal(t, map[string]bool{"api/all": true}, w.options(term.New).RuntimeConfig, "its features have kinds of their own")
	w.config.Plan.Releases[1].Options.RuntimeConfig = map[string]bool{"api/all": false, "a/v1": true}
	assert.Equal(t, map[string]bool{"api/all": false, "a/v1": true}, w.options(term.New).RuntimeConfig)

	ended := &servers.ExitError{Tail: []string{"Error: Shine is enabled, but depends on features that are disabled: [Base Light]"}}
	require.True(t, w.follow(term.New, ended))
	assert.Equal(t, map[string]bool{"AllAlpha": true, "Glow": false, "Base": false, "Light": true}, w.options(term.New).FeatureGates)
	assert.False(t, w.follow(term.New, ended), "nothing is left to switch: the server's words are told")
	assert.False(t, w.follow(term.Old, ended), "the old release names no stage")
	assert.Nil(t, w.options(term.Old).FeatureGates)
}

// TestOptionsOfVersions: old is the minor release that the old build is of.
func TestOptionsOfVersions(t *testing.T) {
	w := newWalker(t.Context(), config(t, newWorld(t), smallPlan(t, small)), nil)
	b := w.config.Builds[term.Old]
	b.Version = "v1.36.3-rc.1"
	w.config.Builds[term.Old] = b
	w.config.Plan.Releases[1].Options = scenarios.Options{EmulatedVersion: "old", MinCompatibilityVersion: "v1.35"}
	assert.Equal(t, servers.Options{EmulatedVersion: "1.36", MinCompatibilityVersion: "1.35"}, w.options(term.New))
	b.Version = "odd"
	w.config.Builds[term.Old] = b
	assert.Equal(t, "odd", w.options(term.New).EmulatedVersion, "the server says what is wrong with it")
}
