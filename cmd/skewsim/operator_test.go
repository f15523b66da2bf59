package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/result"
)

// caught is where a mistake of an operator is found.
type caught struct {
	of    string // the release whose program makes it
	check term.CheckName
	state term.Outcome
	path  string
	cause term.Cause // "": the evidence may name none
	stage string     // "": any
}

// TestKubernetesOperator: of an operator that converts and admits, the right program has the outages of its absence and no
// other finding; and a mistake of either release's program is found by its check, at the stage at which it shows.
func TestKubernetesOperator(t *testing.T) {
	tiers.Need(t, tiers.Kubernetes)
	newReal(t)
	playOperator(t, map[string]caught{
		"":            {},
		"refuses-new": {"old", term.CheckStaysWritable, term.Frozen, "", term.NotAdmitted, "program-rolled-back"},
	})
}

// TestKubernetesGenerated: the program that converts for a module's Go types is generated and built; it serves both releases' stages,
// and the mistake in the types is found by its check.
func TestKubernetesGenerated(t *testing.T) {
	tiers.Need(t, tiers.Kubernetes)
	newReal(t)
	_, res := playScenario(t, "testdata/hub/hub.yaml", "--allow-programs")
	assert.Equal(t, term.Pass, res.Verdict, res.Reason)
	lost := slices.ContainsFunc(res.Findings, func(f result.Finding) bool {
		return f.Outcome == term.Lost && f.Path == ".spec.colour" && f.Cause == term.Converted
	})
	assert.True(t, lost, "v1 has no place for the colour")
}

// TestNightlyOperator: so are all others.
func TestNightlyOperator(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	newReal(t)
	all := map[string]caught{
		"loses-field":       {"new", term.CheckRule4, term.Lost, ".spec.colour", term.Converted, "new"},
		"loses-null":        {"new", term.CheckRule4, term.Lost, ".spec.tags", term.Converted, "new"},
		"wrong-api-version": {"new", term.CheckEverythingDecodes, term.Undecodable, "", term.NotConverted, ""},
		"panics":            {"new", term.CheckEverythingDecodes, term.Undecodable, "", term.NotConverted, ""},
		"drops-annotations": {"new", term.CheckNothingLost, term.Lost, ".metadata.annotations", "", ""},
		"reorders":          {"new", term.CheckNothingLost, term.Changed, ".spec.tags[0]", "", ""},
		"not-idempotent":    {"new", term.CheckRule4, term.Changed, ".spec.extent", term.Converted, ""},
		"needs-optional":    {"new", term.CheckStaysWritable, term.Frozen, "", term.NotConverted, "forgotten"},
		"overwrites":        {"new", term.CheckNothingLost, term.Changed, ".spec.colour", term.NotAdmitted, "new"},
		"knows-no-v3":       {"old", term.CheckEverythingDecodes, term.Undecodable, "", term.NotConverted, "upgrading definitions"},
		"slow":              {"new", term.CheckRule1, term.Failed, "", term.NotAdmitted, "new"},
	}
	part := map[string]caught{}
	for _, mistake := range tiers.Shard(t, slices.Sorted(maps.Keys(all))) {
		part[mistake] = all[mistake]
	}
	playOperator(t, part)
}

func playOperator(t *testing.T, mistakes map[string]caught) {
	t.Helper()
	operator := buildOperator(t)
	for mistake, want := range mistakes {
		t.Run("mistake "+mistake, func(t *testing.T) {
			makes := map[string]string{want.of: mistake}
			entry := "%s: {component: operator, command: [%q], flags: [\"--port=$(port)\", \"--cert-dir=$(certDir)\", \"--mistake=%s\"], admits: [/mutate, /validate]}\n"
			file := filepath.Join(t.TempDir(), "program.yaml")
			text := fmt.Sprintf(entry, "old", operator, makes["old"]) + fmt.Sprintf(entry, "new", operator, makes["new"])
			require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			_, res := playScenario(t, "testdata/operator/operator.yaml", "--webhooks", file)
			for _, f := range res.Findings {
				assert.Equal(t, f.Outcome == term.Outage, f.Stage == "upgrading absent", "%s", f.Message)
			}
			if mistake == "" {
				assert.Equal(t, term.Pass, res.Verdict, res.Reason)
				assert.Len(t, res.Findings, 4, "an outage for each object")
				return
			}
			assert.Equal(t, term.Fail, res.Verdict, res.Reason)
			found := false
			for _, f := range res.Findings {
				found = found || f.Check == want.check && f.Outcome == want.state && f.Path == want.path && (want.cause == "" || f.Cause == want.cause) && (want.stage == "" || f.Stage == want.stage)
			}
			assert.True(t, found, "%s %s of %q by %s is not among the findings", want.check, want.state, want.path, want.cause)
		})
	}
}

// buildOperator builds the operator of testdata, and returns its path.
func buildOperator(t *testing.T) string {
	t.Helper()
	operator := filepath.Join(t.TempDir(), "operator")
	build := exec.Command("go", "build", "-o", operator, ".")
	build.Dir = "testdata/operator"
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // it runs in an image without anything else
	said, err := build.CombinedOutput()
	require.NoError(t, err, string(said))
	return operator
}
