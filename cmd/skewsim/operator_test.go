package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
)

// TestKubernetesOperator: of an operator that converts, the right program has no finding, and each
// mistake of the new release's program is found by its check.
func TestKubernetesOperator(t *testing.T) {
	tiers.Need(t, tiers.Kubernetes)
	newReal(t)
	operator := buildOperator(t)
	for mistake, want := range map[string]struct {
		check term.CheckName
		state term.Outcome
		path  string
		cause term.Cause // "": the evidence may name none
	}{
		"":                  {},
		"loses-field":       {term.CheckRule4, term.Lost, ".spec.colour", term.Converted},
		"wrong-api-version": {term.CheckEverythingDecodes, term.Undecodable, "", term.NotConverted},
		"panics":            {term.CheckEverythingDecodes, term.Undecodable, "", term.NotConverted},
		"drops-annotations": {term.CheckNothingLost, term.Lost, ".metadata.annotations", ""},
		"reorders":          {term.CheckNothingLost, term.Changed, ".spec.tags[0]", ""},
		"not-idempotent":    {term.CheckRule4, term.Changed, ".spec.extent", term.Converted},
	} {
		t.Run("mistake "+mistake, func(t *testing.T) {
			entry := fmt.Sprintf("{component: operator, command: [%q], flags: [\"--port=$(port)\", \"--cert-dir=$(certDir)\", \"--mistake=%%s\"]}\n", operator)
			file := filepath.Join(t.TempDir(), "program.yaml")
			text := "old: " + fmt.Sprintf(entry, "") + "new: " + fmt.Sprintf(entry, mistake)
			require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			_, res := playScenario(t, "testdata/operator/operator.yaml", "--webhooks", file)
			if mistake == "" {
				assert.Equal(t, term.Pass, res.Verdict, res.Reason)
				return
			}
			assert.Equal(t, term.Fail, res.Verdict, res.Reason)
			found := false
			for _, f := range res.Findings {
				found = found || f.Check == want.check && f.Outcome == want.state && f.Path == want.path && (want.cause == "" || f.Cause == want.cause)
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
	said, err := build.CombinedOutput()
	require.NoError(t, err, string(said))
	return operator
}
