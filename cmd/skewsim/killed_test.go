package main

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
)

// TestNightlyKilledRuns: large histories, cut at 200 lines that a seed draws, show nothing
// that the whole ones do not show. sim/oracle cuts small ones at every line.
func TestNightlyKilledRuns(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	withFrobber(t)
	codes := map[string]int{
		"frobber/material": ExitExpected, "frobber/prefer-version": ExitExpected,
		"frobber/rename+zero": ExitDiffers, "frobber/store-version+untold": ExitDiffers,
	}
	for _, scenario := range tiers.Shard(t, slices.Sorted(maps.Keys(codes))) {
		t.Run(scenario, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			code, out, said := called("run", scenario, "--quiet", "--out", dir)
			require.Equal(t, codes[scenario], code, out+said)
			whole, err := reports.Judge(dir, "")
			require.NoError(t, err)
			file := filepath.Join(dir, history.FileName)
			raw, err := linesOf(dir)
			require.NoError(t, err)
			lines := bytes.SplitAfter(raw, []byte("\n"))
			random := rand.New(rand.NewPCG(15, uint64(len(lines))))
			for range 200 {
				n := 1 + random.IntN(len(lines)-2) // not the end
				require.NoError(t, os.WriteFile(file, bytes.Join(lines[:n], nil), 0o600))
				part, err := reports.Judge(dir, "")
				require.NoError(t, err, "%d of %d lines", n, len(lines))
				wantsPart(t, whole.Result, part.Result, fmt.Sprintf("%s: %d of %d lines", scenario, n, len(lines)))
			}
		})
	}
}

// wantsPart holds that a part of a run shows nothing that the whole run does not show.
func wantsPart(t *testing.T, whole, part result.Result, at string) {
	t.Helper()
	for _, f := range part.Findings {
		assert.True(t, slices.ContainsFunc(whole.Findings, func(o result.Finding) bool {
			return o.Check == f.Check && o.Class == f.Class && o.Outcome == f.Outcome && o.Cause == f.Cause && o.Copy == f.Copy && o.Path == f.Path && o.Step == f.Step && o.Stage == f.Stage
		}), "%s: %+v", at, f)
	}
	assert.Contains(t, []term.VerdictWord{whole.Verdict, term.Unknown}, part.Verdict, at)
	assert.NotEqual(t, term.Pass, part.Verdict, at)
}
