package sweep

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestLimitCells: of many cells those are listed that say something of their own, whatever their order is: each
// judgement, each write with its fate and at its stage. The others are counted. A few cells all stay.
func TestLimitCells(t *testing.T) {
	var all []Cell
	for i := range 100 {
		all = append(all, Cell{Write: "put through the new release", Stage: "mixed", Copy: fmt.Sprint("a", i), Effect: term.Kept.Effect()})
	}
	rare := []Cell{
		{Write: "put through the new release", Stage: "mixed", Copy: "b1", Effect: term.Frozen.Effect(), Class: term.Violation, Rule: term.Rule3, Cause: term.NotRatcheted},
		{Write: "put through the new release", Stage: "mixed", Copy: "b2", Effect: term.Frozen.Effect(), Class: term.Impact, Cause: term.NotRatcheted},
		{Write: "merge-patch through the old release", Stage: "mixed", Copy: "b3", Effect: term.Kept.Effect()},
		{Write: "put through the new release", Stage: "rolled-back", Copy: "b4", Effect: term.Kept.Effect()},
	}
	for name, cells := range map[string][]Cell{"last": append(append([]Cell{}, all...), rare...), "first": append(append([]Cell{}, rare...), all...)} {
		o := LapResult{Cells: cells, Effect: term.Frozen.Effect()}
		o.limitCells()
		assert.Len(t, o.Cells, maxCells, name)
		assert.Subset(t, o.Cells, rare, name)
		assert.Equal(t, map[string]int{"kept": len(cells) - maxCells}, o.LeftOut, name)
		assert.Equal(t, len(cells), o.Played(), name)
		assert.Equal(t, 2, o.PlayedWith(term.Frozen.Effect()), name)
		assert.Equal(t, 102, o.PlayedWith(term.Kept.Effect()), name)
		again := LapResult{Cells: cells}
		again.limitCells()
		assert.Equal(t, o.Cells, again.Cells, name)
	}
	few := LapResult{Cells: rare}
	few.limitCells()
	assert.Equal(t, rare, few.Cells)
	assert.Nil(t, few.LeftOut)
	assert.Equal(t, 4, few.Played())
}
