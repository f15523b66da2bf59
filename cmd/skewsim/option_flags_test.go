package main

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/campaign"
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

// TestOptionsThatNoServerTakes are refused at once, all of them.
func TestOptionsThatNoServerTakes(t *testing.T) {
	s := &scenarios.Scenario{Name: "x", Releases: scenarios.Releases{Of: "kube-apiserver"}}
	_, err := optionsOf(t, "--old-flags", "--etcd-servers=http://elsewhere", "--old-flags", "v=2", "--new-feature-gates", "A=on",
		"--new-emulated-version", "latest", "--new-gate-stage", "gamma", "--new-flags", "--service-cluster-ip-range=10.1.0.0/16").Over(s)
	require.Error(t, err)
	for _, words := range []string{
		`old-flags "--etcd-servers=http://elsewhere": skewsim sets it`, `old-flags "v=2": not a flag such as --v=2`,
		"new-feature-gates A=on: neither true nor false", `new-emulated-version "latest": neither a minor release such as 1.36, nor old`,
		`new-gate-stage "gamma": not a stage of gates (alpha, beta)`, `new-flags "--service-cluster-ip-range=10.1.0.0/16": skewsim sets it`,
	} {
		assert.Contains(t, err.Error(), words)
	}
	s.Releases.Of = onFrobber
	_, err = optionsOf(t, "--new-flags", "--anonymous-auth=true").Over(s)
	assert.ErrorContains(t, err, "only the run's own token may get in")
	_, err = optionsOf(t, "--new-flags", "--v=2").Over(s)
	assert.NoError(t, err)
}

// TestOptionsDecideTheJourney: those who are given the same share servers as before; who
// is given something else does not.
func TestOptionsDecideTheJourney(t *testing.T) {
	dir := t.TempDir()
	files := []string{lean(t, dir, "a", ""), lean(t, dir, "b", "new: {flags: --v=2}\n"), lean(t, dir, "c", "")}
	journeys := func(words ...string) (groups []string) {
		f := runFlags{Request: engine.Request{Timeout: time.Minute, Options: optionsOf(t, words...)}}
		all, err := prepareAll(t.Context(), (&App{}).Builds(), files, f)
		require.NoError(t, err)
		for _, c := range campaign.Share(all, false) {
			groups = append(groups, strings.Join(c.Names(), " "))
		}
		return groups
	}
	assert.ElementsMatch(t, []string{"a c", "b"}, journeys())
	assert.ElementsMatch(t, []string{"a b c"}, journeys("--new-flags", "--v=2"), "the file's own are the same then")
	one, err := campaign.PrepareOne(t.Context(), (&App{}).Builds(), files[0], engine.Request{Timeout: time.Minute})
	require.NoError(t, err)
	other, err := campaign.PrepareOne(t.Context(), (&App{}).Builds(), files[0], engine.Request{Timeout: time.Minute, Options: optionsOf(t, "--old-flags", "--v=2")})
	require.NoError(t, err)
	assert.False(t, len(campaign.Share([]*campaign.Cell{one, other}, false)) == 1)
}

// TestOptionsOfAChain are refused: a chain has more ends than two.
func TestOptionsOfAChain(t *testing.T) {
	f := runFlags{Request: engine.Request{Timeout: time.Minute, Options: optionsOf(t, "--new-flags", "--v=2")}}
	_, err := campaign.PrepareOne(t.Context(), (&App{}).Builds(), "frobber/train", f.Request)
	assert.ErrorContains(t, err, "this is a chain: set the options of each release in releases.through")
	f.Pair.Pair = "frobber@1.0..1.1"
	_, err = campaign.PrepareOne(t.Context(), (&App{}).Builds(), "frobber/train", f.Request)
	assert.NoError(t, err)
}
