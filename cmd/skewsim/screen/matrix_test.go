package screen

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/matrix"
)

// TestNotApplicableCountsOnce: a cell that does not apply to its builds, once they are made, is
// not played; the last line counts neither the cell nor its servers.
func TestNotApplicableCountsOnce(t *testing.T) {
	done := matrix.Cell{Scenario: "a", Pair: "x..y", Phase: matrix.Done, Verdict: term.Pass, Journey: 1}
	impacts := matrix.Cell{Scenario: "c", Pair: "x..y", Phase: matrix.Done, Verdict: term.Impacts, Journey: 1}
	notApplicable := matrix.Cell{Scenario: "b", Pair: "x..y", Phase: matrix.NotApplicable, Reason: "too new", Journey: 2}
	for want, cells := range map[string][]matrix.Cell{
		"1 cell on 1 set of servers, 0:01: 1 pass, 0 FAIL, 0 unknown, 0 left; 1 not played\n":             {done, notApplicable},
		"2 cells on 1 set of servers, 0:01: 2 pass, 0 FAIL, 0 unknown, 0 left; 0 not played\n":            {done, done},
		"2 cells on 1 set of servers, 0:01: 1 pass, 0 FAIL, 1 impacts, 0 unknown, 0 left; 0 not played\n": {done, impacts},
	} {
		s := matrix.State{Cells: cells}
		s.Sum()
		var said bytes.Buffer
		require.NoError(t, Matrix(&said, s, time.Second))
		assert.Contains(t, said.String(), "\n"+want)
	}
}

// TestTries: an attempt that was interrupted is one, and no verdict that differs from
// what a cell comes to.
func TestTries(t *testing.T) {
	interrupted, passed := matrix.Attempt{Outcome: "interrupted", With: 2}, matrix.Attempt{Outcome: "pass"}
	failed, killed := matrix.Attempt{Outcome: "FAIL", With: 2}, matrix.Attempt{Outcome: "unknown", Infrastructure: "killed"}
	for _, c := range []struct {
		attempts   []matrix.Attempt
		line, told string
	}{
		{[]matrix.Attempt{passed}, "", ""},
		{[]matrix.Attempt{failed, passed}, ", alone", "another outcome alone"},
		{[]matrix.Attempt{interrupted, passed}, ", attempt 2", ""},
		{[]matrix.Attempt{interrupted, failed, passed}, ", attempt 3", "another outcome alone"},
		{[]matrix.Attempt{killed, interrupted, passed}, ", attempt 3", "x..y a: killed, then interrupted with 2 others, then pass"},
	} {
		cell := matrix.Cell{Scenario: "a", Pair: "x..y", Phase: matrix.Done, Verdict: term.Pass, Outcome: "pass", Attempts: c.attempts}
		assert.Equal(t, c.line, triesOf(cell), "%v", c.attempts)
		var said bytes.Buffer
		require.NoError(t, printTries(&said, []matrix.Cell{cell}))
		if c.told == "" {
			assert.Empty(t, said.String(), "%v", c.attempts)
		}
		assert.Contains(t, said.String(), c.told)
	}
}
