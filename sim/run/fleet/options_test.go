package fleet

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// TestOptionsOfStages: a stage of gates becomes the server's own name for it, with the
// gates that its gates were found to depend on; the scenario's own settings stay.
func TestOptionsOfStages(t *testing.T) {
	p := runtest.SmallPlan(t, runtest.Small)
	o := NewOptions(p, runtest.Builds(), nil, nil)
	p.Releases[1].Options = scenarios.Options{
		Gates: term.AlphaGates, FeatureGates: map[string]bool{"Glow": false, "Base": false},
	}
	assert.Equal(t, map[string]bool{"AllAlpha": true, "Glow": false, "Base": false}, o.Of(term.New).FeatureGates)

	assert.Equal(t, map[string]bool{"api/all": true}, o.Of(term.New).RuntimeConfig, "its features have kinds of their own")
	p.Releases[1].Options.RuntimeConfig = map[string]bool{"api/all": false, "a/v1": true}
	assert.Equal(t, map[string]bool{"api/all": false, "a/v1": true}, o.Of(term.New).RuntimeConfig)

	ended := &servers.ExitError{Tail: []string{"Error: Shine is enabled, but depends on features that are disabled: [Base Light]"}}
	require.True(t, o.requireMore(term.New, ended))
	assert.Equal(t, map[string]bool{"AllAlpha": true, "Glow": false, "Base": false, "Light": true}, o.Of(term.New).FeatureGates)
	assert.False(t, o.requireMore(term.New, ended), "nothing is left to switch: the server's words are reported")
	assert.False(t, o.requireMore(term.Old, ended), "the old release names no stage")
	assert.Nil(t, o.Of(term.Old).FeatureGates)
}

// TestOptionsOfVersions: old is the minor release of the old build.
func TestOptionsOfVersions(t *testing.T) {
	p, all := runtest.SmallPlan(t, runtest.Small), runtest.Builds()
	o := NewOptions(p, all, nil, nil)
	b := all[term.Old]
	b.Version = "v1.36.3-rc.1"
	all[term.Old] = b
	p.Releases[1].Options = scenarios.Options{EmulatedVersion: "old", MinCompatibilityVersion: "v1.35"}
	assert.Equal(t, servers.Options{EmulatedVersion: "1.36", MinCompatibilityVersion: "1.35"}, o.Of(term.New))
	b.Version = "odd"
	all[term.Old] = b
	assert.Equal(t, "odd", o.Of(term.New).EmulatedVersion, "the server says what is wrong with it")
}

// TestOptions: each release's servers get its own options.
func TestOptions(t *testing.T) {
	text := "old: {flags: [--old]}\nnew: {featureGates: {Later: true}}\n"
	p := runtest.SmallPlan(t, strings.Replace(runtest.Small, "play:", text+"play:", 1))
	o := NewOptions(p, runtest.Builds(), nil, nil)
	assert.Equal(t, servers.Options{Flags: []string{"--old"}}, o.Of("old"))
	assert.Equal(t, servers.Options{FeatureGates: map[string]bool{"Later": true}}, o.Of("new"))
	assert.Equal(t, servers.Options{}, o.Of("other"))
}
