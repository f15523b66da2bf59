package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/term"
)

// TestInaptCountsOnce: a cell that does not apply to its builds, once they are made, is
// not played, and is none of the cells that the last line counts.
func TestInaptCountsOnce(t *testing.T) {
	done := matrix.Cell{Scenario: "a", Pair: "x..y", Phase: matrix.Done, Verdict: term.Pass}
	inapt := matrix.Cell{Scenario: "b", Pair: "x..y", Phase: matrix.Inapt, Reason: "too new"}
	for want, cells := range map[string][]matrix.Cell{
		"1 cell on 0 journeys, 0:01: 1 pass, 0 FAIL, 0 unknown, 0 left; 1 not played\n":  {done, inapt},
		"2 cells on 0 journeys, 0:01: 2 pass, 0 FAIL, 0 unknown, 0 left; 0 not played\n": {done, done},
	} {
		s := matrix.State{Cells: cells}
		s.Sum()
		var said bytes.Buffer
		require.NoError(t, printMatrix(&said, &layout{}, s, time.Second))
		assert.Contains(t, said.String(), "\n"+want)
	}
}
