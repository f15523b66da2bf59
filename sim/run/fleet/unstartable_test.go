package fleet

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// telling is a world whose builds report their gates.
type telling struct {
	*runtest.World
	gates map[string]map[string]string // by version
}

func (telling) TakesOver(servers.Build) string { return "" }

func (t telling) Gates(_ context.Context, b servers.Build) (map[string]string, error) {
	return t.gates[b.Version], nil
}

func (t telling) Gate(_ context.Context, b servers.Build, name string) (string, bool, error) {
	says, has := t.gates[b.Version][name]
	return says, has, nil
}

// TestOptionsThatAreRefused gives the explanation for each message of an exiting server.
func TestOptionsThatAreRefused(t *testing.T) {
	p, all := runtest.SmallPlan(t, runtest.Small), runtest.Builds()
	old, new := all[term.Old].Version, all[term.New].Version
	runtime := telling{runtest.NewWorld(t), map[string]map[string]string{
		old: {"Base": "BETA - default=true", "Gone": "ALPHA - default=false"},
		new: {"Base": "locked to true", "Glow": "ALPHA - default=false", "Shine": "BETA - default=false"},
	}}
	o := NewOptions(p, all, runtime, nil)
	for words, e := range map[string]struct {
		options scenarios.Options
		want    string
	}{
		"unrecognized feature gate: Gone": {scenarios.Options{FeatureGates: map[string]bool{"Gone": true, "Shone": true, "Glow": true}},
			"new.featureGates.Gone: NEW has no such gate; OLD has it (ALPHA - default=false): switch it under old alone\n" +
				"new.featureGates.Shone: NEW has no such gate; nor has OLD: did you mean \"Shine\"?"},
		"cannot set feature gate Base to false, feature is locked to true": {scenarios.Options{FeatureGates: map[string]bool{"Base": false}},
			"new.featureGates.Base: NEW locks it to true; OLD has it (BETA - default=true): leave it out here"},
		"[cannot set feature gate Glow to true, feature is PreAlpha at emulated version 1.36, min compatibility version 1.35]": {scenarios.Options{FeatureGates: map[string]bool{"Glow": true}},
			"new.featureGates.Glow: NEW has it (ALPHA - default=false), and 1.36, which it emulates, has not: leave it out, or do not emulate that"},
		"Glow is enabled, but depends on features that are disabled: [Shine]": {scenarios.Options{FeatureGates: map[string]bool{"Glow": true, "Shine": false}},
			"new.featureGates.Glow: in NEW it depends on Shine (BETA - default=false): switch that on too, or this gate off"},
		"[emulation version 1.31 is not between [1.34, 1.37.0], minCompatibilityVersion version 1.34 is not between [1.34, 1.31]]": {scenarios.Options{EmulatedVersion: "1.31"},
			"new.emulatedVersion: NEW emulates releases between 1.34 and 1.37.0, and not 1.31: name one of those, or leave it out"},
		"emulation version needs to be equal to binary version(1.31) in compatibility-version alpha, got 1.30": {scenarios.Options{EmulatedVersion: "1.30"},
			"new.emulatedVersion: NEW emulates no other release, so not 1.30: leave it out, or take a later release as the new one"},
		"[emulation version 1.29 is not between [1.30, 1.31.0], emulation version needs to be equal to binary version(1.31) in compatibility-version alpha, got 1.29]": {scenarios.Options{EmulatedVersion: "1.29"},
			"new.emulatedVersion: NEW emulates no other release, so not 1.29: leave it out, or take a later release as the new one"},
		"minCompatibilityVersion version 1.30 is not between [1.34, 1.37]": {scenarios.Options{MinCompatibilityVersion: "1.30"},
			"new.minCompatibilityVersion: with these options NEW is compatible with releases between 1.34 and 1.37, and not with 1.30: name one of those, or leave it out"},
		"[unknown api groups foo/v1, --x]": {scenarios.Options{}, "new.runtimeConfig: NEW has no API group of foo/v1: correct it, or leave it out"},
		"Error: unknown flag: --min-compatibility-version": {scenarios.Options{},
			"new.minCompatibilityVersion: NEW has no flag --min-compatibility-version: leave it out, or name a release that has it"},
		`--storage-media-type "a/b" invalid, allowed values: c/d`: {scenarios.Options{}, "new.flags: NEW does not accept this value of --storage-media-type: correct it"},
	} {
		p.Releases[1].Options = e.options
		err := o.Explain(t.Context(), term.New, &servers.ExitError{Tail: []string{words}})
		var told *OptionsError
		require.ErrorAs(t, err, &told, words)
		want := versioned(old, new, e.want)
		assert.EqualError(t, err, told.File+": new: "+told.Reference+" does not start with these options; it reports:\n  "+words+"\n"+want)
	}
}

func versioned(old, new, text string) string {
	return strings.NewReplacer("OLD", old, "NEW", new).Replace(text)
}

// TestOptionsForAnAPI: a server with gates waits for kinds that it does not serve; one
// without gates exited for another reason.
func TestOptionsForAnAPI(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	require.NoError(t, os.WriteFile(log, []byte(`E1 reflector.go:1] "Failed to watch" err="failed to list *v1beta1.Glow: the server could not find the requested resource"`), 0o600))
	p := runtest.SmallPlan(t, runtest.Small)
	o := NewOptions(p, runtest.Builds(), runtest.NewWorld(t), nil)
	ended := &servers.ExitError{Tail: []string{"PostStartHook failed"}, Log: log}
	assert.Equal(t, error(ended), o.Explain(t.Context(), term.New, ended))
	p.Releases[1].Options.Gates = term.BetaGates
	assert.ErrorContains(t, o.Explain(t.Context(), term.New, ended), "waits for kinds whose APIs are off (v1beta1 Glow): switch them on")
	ended.Ready = true
	assert.Equal(t, error(ended), o.Explain(t.Context(), term.New, ended), "it had started")
}
