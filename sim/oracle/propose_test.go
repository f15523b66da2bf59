package oracle_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// wantApart holds that no finding can match two of the lines.
func wantApart(t *testing.T, lines []oracle.Proposal) {
	t.Helper()
	for i, a := range lines {
		for _, b := range lines[:i] {
			if a.Findings > 0 && b.Findings > 0 {
				assert.True(t, oracle.Disjoint(a.Expectation, b.Expectation), "%s and %s", a.Expectation.Flow(), b.Expectation.Flow())
			}
		}
	}
}

// Of every recorded run, what is proposed makes it pass: with the scenario's own lines and
// without, and when any one of them is taken away.
func TestProposalsOfHistories(t *testing.T) {
	a := openHistories(t)
	for _, entry := range a.Entries {
		t.Run(entry.Name, func(t *testing.T) {
			t.Parallel()
			f := readHistory(t, a, entry.Name)
			p := &f.History.Header.Plan
			if p.Leg != nil || p.AA != "" {
				return
			}
			given, judged := p.Expect, oracle.ToPropose(f.History, f.Schemas)
			for without := range len(given) + 1 {
				p.Expect, p.Elsewhere = given, nil
				if without < len(given) {
					p.Expect = slices.Delete(slices.Clone(given), without, without+1)
				}
				for _, merge := range []bool{false, true} {
					lines, res := judged(merge)
					assert.NotEqual(t, term.Fail, res.Verdict, "merge %t, without %d: %s", merge, without, res.Reason)
					if p.Mutant == nil { // of a mutant too little is recorded for some checks
						assert.Equal(t, term.Pass, res.Verdict, "merge %t, without %d: %s", merge, without, res.Reason)
					}
					wantApart(t, lines)
				}
				if p.Mutant != nil {
					break
				}
			}
		})
	}
}

// The lines are few, and say where; a run that found nothing has none.
func TestProposals(t *testing.T) {
	run := twoLosses(t)
	lines, res := oracle.Propose(run.History, run.Schemas, false)
	require.Len(t, lines, 1)
	assert.Equal(t, term.Pass, res.Verdict, res.Reason)
	assert.Equal(t, "{check: nothing-lost, class: impact, outcome: lost, cause: unknown-field, path: '.spec.shine', via: old}", lines[0].Expectation.Flow())
	assert.Equal(t, 2, lines[0].Findings)
	assert.Empty(t, run.History.Header.Plan.Expect, "the history is as it was")

	run = oracletest.NewQuiet(t)
	lines, res = oracle.Propose(run.History, run.Schemas, false)
	assert.Empty(t, lines)
	assert.Equal(t, term.Pass, res.Verdict, res.Reason)
}

// With merge a line of the scenario stays with its reason, its count is that of the run,
// and what it does not match gets lines that cannot match the same. A line that nothing
// matches, and one that matches what another does, go.
func TestProposalsBesideOwnLines(t *testing.T) {
	one := lost(func(w *scenarios.Expectation) { w.Verb, w.Count, w.Why = []term.Verb{term.Put}, 5, "known" })
	none := lost(func(w *scenarios.Expectation) { w.Cause = scenarios.OneOf[term.Cause]{term.Defaulted} })
	run := twoLosses(t, one, lost(nil), none)
	lines, res := oracle.Propose(run.History, run.Schemas, true)
	assert.Equal(t, term.Pass, res.Verdict, res.Reason)
	wantApart(t, lines)
	kept := slices.DeleteFunc(slices.Clone(lines), func(p oracle.Proposal) bool { return !p.Kept })
	require.Len(t, kept, 1)
	assert.Equal(t, 1, kept[0].Expectation.Count, "that of the run")
	assert.Equal(t, "known", kept[0].Expectation.Why)
	assert.Len(t, lines, 2)
}
