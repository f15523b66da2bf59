package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/matrix"
)

// TestExitOf: the worst of the cells' counts, and what is left is unknown.
func TestExitOf(t *testing.T) {
	pass, fail := matrix.Cell{Phase: matrix.Done, Verdict: term.Pass, Outcome: "pass"}, matrix.Cell{Phase: matrix.Done, Verdict: term.Fail, Outcome: "FAIL"}
	unknown, refused := matrix.Cell{Phase: matrix.Done, Verdict: term.Unknown, Outcome: "unknown"}, matrix.Cell{Phase: matrix.Done, Verdict: term.Unknown, Outcome: "refused"}
	left, notApplicable := matrix.Cell{Phase: matrix.Interrupted}, matrix.Cell{Phase: matrix.NotApplicable}
	for _, c := range []struct {
		cells []matrix.Cell
		shard *matrix.Shard
		want  int
	}{
		{[]matrix.Cell{pass, pass}, nil, ExitExpected},
		{[]matrix.Cell{pass, notApplicable}, nil, ExitExpected},
		{[]matrix.Cell{notApplicable}, nil, ExitUsage},
		{[]matrix.Cell{notApplicable}, &matrix.Shard{Index: 1, Of: 2}, ExitExpected},
		{[]matrix.Cell{pass, refused}, nil, ExitUsage},
		{[]matrix.Cell{refused, unknown}, nil, ExitUnjudged},
		{[]matrix.Cell{pass, left}, nil, ExitUnjudged},
		{[]matrix.Cell{left, unknown, refused, fail}, nil, ExitDiffers},
	} {
		assert.Equal(t, c.want, ExitCode(exitOf(matrix.State{Cells: c.cells, Shard: c.shard})), "%v", c.cells)
	}
}
