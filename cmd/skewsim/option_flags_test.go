package main

import (
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/engine"
)

// optionsOf reads flags as a command does.
func optionsOf(t *testing.T, words ...string) engine.Options {
	t.Helper()
	var f engine.Options
	flags := pflag.NewFlagSet("x", pflag.ContinueOnError)
	cliflags.Options(flags, &f)
	require.NoError(t, flags.Parse(words))
	return f
}

// TestOptionsOverTheScenarios: what is given takes the place of the scenario's, key by
// key, and the rest of the scenario's stays.
func TestOptionsOverTheScenarios(t *testing.T) {
	own := scenarios.Options{
		FeatureGates: map[string]bool{"A": true, "B": true}, RuntimeConfig: map[string]bool{"api/all": true},
		EmulatedVersion: "1.35", Flags: []string{"--v=2", "--storage-media-type=application/json"}, Gates: term.AlphaGates,
	}
	s := &scenarios.Scenario{Name: "x", Releases: scenarios.Releases{Of: "kube-apiserver"}, Old: own, New: own}
	played, err := optionsOf(t,
		"--new-feature-gates", "B=false,C=true", "--new-runtime-config", "api/beta=true", "--new-emulated-version", "old", "--new-gate-stage", "beta",
		"--new-min-compatibility-version", "1.34", "--new-flags", "--storage_media_type=application/cbor", "--new-flags", "--max-requests-inflight=9",
	).Over(s)
	require.NoError(t, err)
	assert.Equal(t, own, played.Old, "of the other release nothing was said")
	assert.Equal(t, scenarios.Options{
		FeatureGates: map[string]bool{"A": true, "B": false, "C": true}, RuntimeConfig: map[string]bool{"api/all": true, "api/beta": true},
		EmulatedVersion: "old", MinCompatibilityVersion: "1.34", Gates: term.BetaGates,
		Flags: []string{"--v=2", "--storage_media_type=application/cbor", "--max-requests-inflight=9"},
	}, played.New)
	assert.Equal(t, own, s.New, "the scenario itself has been changed")
	same, err := optionsOf(t).Over(s)
	require.NoError(t, err)
	assert.Same(t, s, same)
}
