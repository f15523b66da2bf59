package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// TestMergeRefusesContradictions: a result that contradicts itself counts as one that
// cannot be read, with the part that is wrong; a result without a contradiction counts with its verdict.
func TestMergeRefusesContradictions(t *testing.T) {
	checks := []result.Check{{Name: term.CheckNothingLost, Verdict: term.Impacts, Judged: 3, Findings: 1}}
	right := result.Result{
		SchemaVersion: result.SchemaVersion, Scenario: "x", Releases: []string{"v1", "v2"}, Verdict: term.Impacts, Checks: checks,
		Findings: []result.Finding{{Check: term.CheckNothingLost, Class: term.Impact}},
	}
	wrong := right
	wrong.Verdict = term.Pass
	for code, res := range map[int]result.Result{ExitDiffers: right, ExitUnjudged: wrong} {
		dir := t.TempDir()
		raw, err := json.Marshal(res)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, rundir.ResultFile), raw, 0o600))
		got, m := mergedOf(t, dir)
		assert.Equal(t, code, got)
		require.Len(t, m.Runs, 1)
		if code == ExitDiffers {
			assert.Empty(t, m.Runs[0].Unreadable)
			assert.Equal(t, term.Impacts, m.Runs[0].Verdict)
			continue
		}
		assert.Contains(t, m.Runs[0].Unreadable, "verdict: is pass")
	}
}

// TestMergeRefusesContradictingChains: the same of a chain and its legs.
func TestMergeRefusesContradictingChains(t *testing.T) {
	for _, leg := range []term.VerdictWord{term.Pass, term.Fail, term.Impacts, term.Unknown} {
		dir := t.TempDir()
		v := chain.Verdict{
			SchemaVersion: chain.SchemaVersion, Releases: []string{"frobber@1.0", "frobber@1.1"}, Verdict: term.Pass,
			Planned: 1, Legs: []chain.LegResult{{Verdict: leg}},
		}
		require.NoError(t, rundir.WriteFile(dir, rundir.ChainFile, func(w io.Writer) error { return reports.ChainJSON(w, v) }))
		code, m := mergedOf(t, dir)
		require.Len(t, m.Runs, 1)
		assert.Equal(t, leg != term.Pass, m.Runs[0].Unreadable != "", leg)
		assert.Equal(t, leg == term.Pass, code == ExitExpected, leg)
	}
}
