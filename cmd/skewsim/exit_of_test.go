package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/cmd/skewsim/app"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/matrix"
)

// TestExitOf: the worst of the cells' counts, and what is left is unknown.
func TestExitOf(t *testing.T) {
	pass, fail := matrix.Cell{Phase: matrix.Done, Verdict: term.Pass, Outcome: "pass"}, matrix.Cell{Phase: matrix.Done, Verdict: term.Fail, Outcome: "FAIL"}
	unknown, refused := matrix.Cell{Phase: matrix.Done, Verdict: term.Unknown, Outcome: "unknown"}, matrix.Cell{Phase: matrix.Done, Verdict: term.Unknown, Outcome: "refused"}
	left, inapt := matrix.Cell{Phase: matrix.Interrupted}, matrix.Cell{Phase: matrix.Inapt}
	for _, c := range []struct {
		cells []matrix.Cell
		shard *matrix.Shard
		want  int
	}{
		{[]matrix.Cell{pass, pass}, nil, app.ExitExpected},
		{[]matrix.Cell{pass, inapt}, nil, app.ExitExpected},
		{[]matrix.Cell{inapt}, nil, app.ExitUsage},
		{[]matrix.Cell{inapt}, &matrix.Shard{Index: 1, Of: 2}, app.ExitExpected},
		{[]matrix.Cell{pass, refused}, nil, app.ExitUsage},
		{[]matrix.Cell{refused, unknown}, nil, app.ExitUnjudged},
		{[]matrix.Cell{pass, left}, nil, app.ExitUnjudged},
		{[]matrix.Cell{left, unknown, refused, fail}, nil, app.ExitDiffers},
	} {
		assert.Equal(t, c.want, app.ExitCode(exitOf(matrix.State{Cells: c.cells, Shard: c.shard})), "%v", c.cells)
	}
}
