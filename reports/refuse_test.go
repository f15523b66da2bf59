package reports_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// TestRefuse: where a record cannot be judged, an earlier pass becomes unknown. A mistake of the user
// leaves it, and a directory without a result gets none.
func TestRefuse(t *testing.T) {
	pass, err := json.Marshal(result.Result{SchemaVersion: result.SchemaVersion, Scenario: "x", Verdict: term.Pass, Seed: 7, Checks: []result.Check{{Name: term.CheckNothingLost, Guarantee: "g", Verdict: term.Pass, Judged: 3}}})
	require.NoError(t, err)
	read := func(dir string) (r result.Result) {
		text, err := os.ReadFile(filepath.Join(dir, rundir.ResultFile))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &r))
		return r
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, rundir.ResultFile), pass, 0o600))

	require.NoError(t, reports.Refuse(dir, fault.ByUser(errors.New("the scenario is another one"))))
	require.NoError(t, reports.Refuse(dir, nil))
	assert.Equal(t, term.Pass, read(dir).Verdict)

	require.NoError(t, reports.Refuse(dir, errors.New("the schema is missing")))
	refused := read(dir)
	assert.Equal(t, term.Unknown, refused.Verdict)
	assert.Contains(t, refused.Reason, "the schema is missing")
	assert.Equal(t, "x", refused.Scenario)
	assert.Equal(t, []result.Check{{Name: term.CheckNothingLost, Guarantee: "g", Verdict: term.Unknown}}, refused.Checks)
	assert.NoError(t, refused.Contradictions())

	empty := t.TempDir()
	require.NoError(t, reports.Refuse(empty, errors.New("the schema is missing")))
	assert.NoFileExists(t, filepath.Join(empty, rundir.ResultFile))
}
