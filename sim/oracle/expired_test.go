package oracle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
)

// today is the day on which the runs below begin.
const today, yesterday = "2026-11-22", "2026-11-21"

// exception is a line for both losses, with a last day.
func exception(until string) scenarios.Expectation {
	return lost(func(w *scenarios.Expectation) { w.Owner, w.Until = "sig-node", until })
}

// begun is a run of two losses that begins late in the evening, in UTC.
func begun(t *testing.T, expect ...scenarios.Expectation) *oracletest.Run {
	run := twoLosses(t, expect...)
	run.History.Header.Started = time.Date(2026, 11, 23, 9, 30, 0, 0, time.FixedZone("east", 10*3600))
	return run
}

// A line for other pairs expects nothing, and need not be met; the same line for this
// one does both.
func TestOtherPairs(t *testing.T) {
	run := twoLosses(t, lost(nil))
	run.History.Header.Plan.Elsewhere = []plan.Elsewhere{{Place: 1, Line: 20, Reason: "it is for others"}}
	res, _ := run.Judge()
	assert.Equal(t, term.Fail, res.Verdict)
	assert.Equal(t, "nothing-lost: 2 findings not expected, 0 expectations not met", res.Reason)
	require.Len(t, res.Elsewhere, 1)
	assert.Equal(t, "it is for others", res.Elsewhere[0].Reason)
	for _, f := range res.Findings {
		assert.Zero(t, f.Expectation)
	}
	res, _ = twoLosses(t, lost(nil)).Judge()
	assert.Equal(t, term.Pass, res.Verdict, res.Reason)
	assert.Empty(t, res.Elsewhere)

	// Two lines alike, of which one is for others: no finding matches both.
	both := func(w *scenarios.Expectation) { w.Class = scenarios.OneOf[term.Class]{term.Impact} }
	run = twoLosses(t, lost(nil), lost(both))
	run.History.Header.Plan.Elsewhere = []plan.Elsewhere{{Place: 1, Line: 20, Reason: "it is for others"}}
	res, _ = run.Judge()
	assert.Equal(t, term.Pass, res.Verdict, res.Reason)
	assert.Equal(t, 2, res.Findings[0].Expectation)
	run.History.Header.Plan.Elsewhere = []plan.Elsewhere{{Place: 7}, {Place: 0}, {Place: -1}} // of a damaged history
	res, _ = run.Judge()
	assert.Equal(t, term.Fail, res.Verdict, "both match")
	assert.Empty(t, res.Elsewhere)
}

// On its last day a line counts, in UTC; the day after it fails the run, though every
// finding matches it still, and says whose it was, and since when.
func TestExpiredLine(t *testing.T) {
	res, _ := begun(t, exception(today)).Judge()
	assert.Equal(t, term.Pass, res.Verdict, res.Reason)
	assert.Empty(t, res.Expired)

	run := begun(t, exception(yesterday))
	res, _ = run.Judge()
	assert.Equal(t, term.Fail, res.Verdict)
	const reported = "the expectation on line 20 (nothing-lost) has expired: its owner, sig-node, had until 2026-11-21 (UTC), and the run began on 2026-11-22; " +
		"findings that still match it: 2; have them fixed, or agree on a later day"
	assert.Equal(t, "nothing-lost: 2 findings not expected, 0 expectations not met, 1 expired: "+reported, res.Reason)
	require.Len(t, res.Expired, 1)
	assert.Equal(t, reported, res.Expired[0].Message)
	assert.Equal(t, 2, res.Expired[0].Seen)
	for _, f := range res.Findings {
		assert.False(t, f.Expected)
		assert.Equal(t, 1, f.Expectation, "which line it was is still known")
		assert.Contains(t, f.Message, "(expected by line 20 until 2026-11-21, which has passed; owner: sig-node)")
	}
	assert.Empty(t, res.Missing)

	run.History.Header.Plan.Elsewhere = []plan.Elsewhere{{Place: 1, Line: 20}}
	res, _ = run.Judge()
	assert.Empty(t, res.Expired, "for others it may expire")
}

// A line that nothing matches any more is to go; of half a run nobody knows.
func TestExpiredUnseen(t *testing.T) {
	gone := exception(yesterday)
	gone.Check = term.CheckResurrection
	run := begun(t, lost(nil), gone)
	res, _ := run.Judge()
	assert.Equal(t, term.Fail, res.Verdict)
	assert.Contains(t, res.Reason, "no finding matches it any more: remove it")
	assert.Empty(t, res.Missing, "it is reported once")

	run.History.End = nil
	res, _ = run.Judge()
	assert.Equal(t, term.Fail, res.Verdict, "no end of the run could make it well")
	assert.Contains(t, res.Reason, "this run does not show whether a finding still matches it")

	run.History.Damage = []string{"line 7: damaged"}
	res, _ = run.Judge()
	assert.Equal(t, term.Unknown, res.Verdict)
}

// What an expired line matches does not catch a mutant: the right release gives it too.
func TestExpiredCatchesNoMutant(t *testing.T) {
	for until, caught := range map[string]bool{yesterday: false, "": true} {
		run := begun(t, exception(until))
		if until == "" {
			run.History.Header.Plan.Expect = nil
		}
		run.History.Header.Plan.Mutant = &plan.Mutant{Name: "t", Caught: lost(nil)}
		res, _ := run.Judge()
		assert.Equal(t, caught, res.Mutant.Caught, until)
	}
}

// On copies with an order impacts are expected whatever lines say; a violation that an
// expired line matches is not.
func TestExpiredOnOrders(t *testing.T) {
	run := begun(t, exception(yesterday))
	ordered(run, "treated-1", "treated-2")
	res, _ := run.Judge()
	require.Len(t, res.Findings, 2)
	assert.True(t, res.Findings[0].Expected)
	assert.Equal(t, term.Fail, res.Verdict, "and the line has expired all the same: %s", res.Reason)
}
