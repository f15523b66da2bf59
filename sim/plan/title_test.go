package plan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

func ends(old, new string, oldOptions, newOptions scenarios.Options) *plan.Plan {
	return &plan.Plan{Releases: []plan.Release{
		{Role: term.Old, Reference: "kube-apiserver@" + old, Options: oldOptions}, {Role: term.New, Reference: "kube-apiserver@" + new, Options: newOptions},
	}}
}

// TestTitle: the titles of two releases differ even where their versions do not.
func TestTitle(t *testing.T) {
	on, off := map[string]bool{"Shine": true, "Other": true}, map[string]bool{"Shine": false, "Other": true}
	for _, c := range []struct {
		p        *plan.Plan
		old, new string
	}{
		{ends("v1.36.3", "v1.37.0", scenarios.Options{}, scenarios.Options{}), "v1.36.3", "v1.37.0"},
		{ends("v1.36.3", "v1.37.0", scenarios.Options{}, scenarios.Options{FeatureGates: on}), "v1.36.3", "v1.37.0"},
		{ends("v1.36.3", "v1.37.0", scenarios.Options{}, scenarios.Options{EmulatedVersion: "old"}), "v1.36.3", "v1.37.0 emulating 1.36"},
		{ends("v1.36.3", "v1.37.0", scenarios.Options{}, scenarios.Options{EmulatedVersion: "old", MinCompatibilityVersion: "1.35"}), "v1.36.3", "v1.37.0 emulating 1.36, min-compatibility-version 1.35"},
		{ends("v1.37.0", "v1.37.0", scenarios.Options{}, scenarios.Options{EmulatedVersion: "1.36", MinCompatibilityVersion: "old"}), "v1.37.0", "v1.37.0 emulating 1.36, min-compatibility-version 1.37"},
		{ends("v1.37.0", "v1.37.0", scenarios.Options{EmulatedVersion: "v1.36"}, scenarios.Options{}), "v1.37.0 emulating 1.36", "v1.37.0"},
		{ends("v1.37.0", "v1.37.0", scenarios.Options{FeatureGates: on}, scenarios.Options{FeatureGates: off}), "v1.37.0 with Shine=true", "v1.37.0 with Shine=false"},
		{ends("v1.37.0", "v1.37.0", scenarios.Options{}, scenarios.Options{Gates: term.AlphaGates, RuntimeConfig: map[string]bool{"api/all": true}, Flags: []string{"--v=2"}, MinCompatibilityVersion: "1.36"}),
			"v1.37.0", "v1.37.0 with api/all=true, every alpha gate, min-compatibility-version=1.36, --v=2"},
		{ends("v1.37.0", "v1.37.0", scenarios.Options{FeatureGates: on}, scenarios.Options{FeatureGates: on}), "v1.37.0", "v1.37.0"},
		{ends("v1.37.0", "v1.37.0", scenarios.Options{Encryption: &scenarios.Encryption{Resources: []string{"secrets"}, Provider: "aescbc", Key: "k1"}}, scenarios.Options{}),
			"v1.37.0 with secrets written by aescbc with key k1", "v1.37.0"},
	} {
		assert.Equal(t, c.old, c.p.Title(term.Old, c.p.Releases[0].Reference[15:]))
		assert.Equal(t, c.new, c.p.Title(term.New, c.p.Releases[1].Reference[15:]))
	}
}

// TestEmulator holds that an end emulates the other only where it says so of the
// version that the other really is.
func TestEmulator(t *testing.T) {
	emulating := func(version string) scenarios.Options { return scenarios.Options{EmulatedVersion: version} }
	for _, c := range []struct {
		old, new               string
		oldOptions, newOptions scenarios.Options
		want                   term.Role
	}{
		{"v1.36.3", "v1.37.0", scenarios.Options{}, emulating("1.36"), term.New},
		{"v1.36.3", "v1.37.0", scenarios.Options{}, emulating("old"), term.New},
		{"v1.35.4", "v1.37.0", scenarios.Options{}, emulating("1.36"), ""},
		{"v1.36.3", "v1.37.0", scenarios.Options{}, emulating("1.37"), ""},
		{"v1.37.0", "v1.37.0", emulating("1.36"), scenarios.Options{}, ""},
		{"v1.36.3", "v1.37.0", emulating("1.35"), emulating("1.36"), ""},
		{"v1.36.3", "v1.37.0", scenarios.Options{}, scenarios.Options{}, ""},
	} {
		role, is := ends(c.old, c.new, c.oldOptions, c.newOptions).Emulator(map[term.Role]string{term.Old: c.old, term.New: c.new})
		assert.Equal(t, c.want, role, "%s..%s", c.old, c.new)
		assert.Equal(t, c.want != "", is)
	}
}

// TestUnsupported holds that a pair which skips a minor release says which, of
// Kubernetes' releases alone; neighbours, and one release twice, skip none.
func TestUnsupported(t *testing.T) {
	for pair, want := range map[[2]string]string{
		{"v1.35.4", "v1.37.0"}:  "Kubernetes supports no upgrade that skips a minor release, and v1.35.4 .. v1.37.0 skips 1.36: what is found here is played all the same",
		{"v1.33.13", "v1.37.0"}: "Kubernetes supports no upgrade that skips a minor release, and v1.33.13 .. v1.37.0 skips 1.34, 1.35, 1.36: what is found here is played all the same",
		{"v1.36.3", "v1.37.0"}:  "", {"v1.36.3", "v1.37.0-alpha.1.123+0123456789abcd-dirty"}: "", {"v1.37.0", "v1.37.0"}: "", {"v1.37.0", ""}: "",
	} {
		p := ends(pair[0], pair[1], scenarios.Options{}, scenarios.Options{})
		p.Component = "kube-apiserver"
		assert.Equal(t, want, p.UnsupportedAsNamed())
		p.Component = "frobber"
		assert.Empty(t, p.UnsupportedAsNamed())
	}
}

// TestOlderClients holds that clients which are not older than the pair that is played,
// or are far older, are refused; of a build that names no version nothing is known.
func TestOlderClients(t *testing.T) {
	for clients, want := range map[string]string{
		"v1.35.4": "", "v1.33.0": "",
		"v1.36.0": "not older than the old release v1.36.3", "v1.37.0": "not older", "v1.32.0": "more than three releases older",
	} {
		err := scenarios.OlderThan(clients, "v1.36.3")
		if want == "" {
			assert.NoError(t, err)
			continue
		}
		assert.ErrorContains(t, err, want)
	}
	assert.NoError(t, scenarios.OlderThan("v1.36.0", "path"))
	const checkout = "v1.37.0-alpha.1.123+0123456789abcd-dirty"
	assert.NoError(t, scenarios.OlderThan("v1.36.0", checkout))
	assert.ErrorContains(t, scenarios.OlderThan(checkout, checkout), "not older")
	assert.Equal(t, "1.37", plan.MinorOf(checkout))
}
