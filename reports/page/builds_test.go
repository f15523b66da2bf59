package page

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// TestBuildsAreStartedWith: who reads a report sees all that makes a release of a build.
func TestBuildsAreStartedWith(t *testing.T) {
	r := view.Run{
		Result: result.Result{Builds: []result.Build{{Role: term.Old}, {Role: term.New}}},
		Plan: plan.Plan{Releases: []plan.Release{
			{Role: term.New, Options: scenarios.Options{Gates: term.AlphaGates, EmulatedVersion: "1.36", Flags: []string{"--v=2"}}},
		}},
	}
	drawn := builds(r)
	assert.Empty(t, drawn[0].Further)
	assert.Equal(t, []string{"--feature-gates=<every alpha one>", "--emulated-version=1.36"}, drawn[1].Further)
}

// TestBuildsStandIn: nor is anyone left to think that something was played that was not.
func TestBuildsStandIn(t *testing.T) {
	drawn := builds(view.Run{Result: result.Result{Builds: []result.Build{
		{Role: term.Old, Version: "v1.35.4"},
		{Role: term.New, Version: "v1.36.1", Asked: "kube-apiserver@v1.36.3", Substituted: []string{"example.org/m v1.0.0 -> v1.0.1"}},
	}}})
	assert.Empty(t, drawn[0].Further)
	assert.Equal(t, []string{"in the place of kube-apiserver@v1.36.3", "substituted: example.org/m v1.0.0 -> v1.0.1"}, drawn[1].Further)
}
