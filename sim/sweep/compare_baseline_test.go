package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestComparePreExisting: a row stays pre-existing without a change; what was pre-existing and begins with the new
// release is worse, and the other way round it is better.
func TestComparePreExisting(t *testing.T) {
	row := func(id string, v term.Effect, old bool) Row {
		return Row{ID: id, LapResult: LapResult{Effect: v, PreExisting: old, Broken: 1}}
	}
	before := Result{Rows: []Row{row("same", term.Lost.By(term.NewRelease), true), row("begins", term.Lost.By(term.NewRelease), true), row("found out", term.Lost.By(term.NewRelease), false), row("another", term.Changed.Effect(), true)}}
	now := Result{Rows: []Row{row("same", term.Lost.By(term.NewRelease), true), row("begins", term.Lost.By(term.NewRelease), false), row("found out", term.Lost.By(term.NewRelease), true), row("another", term.Lost.By(term.OldServer), true)}}
	got := map[string]term.RowChange{}
	for _, c := range CompareBaseline("sweep.json", before, now).Changes {
		got[c.ID] = c.Change
	}
	assert.Equal(t, map[string]term.RowChange{"begins": term.RowWorse, "found out": term.RowBetter}, got)
}

// TestCompare: each change of a row, and none of a row that stayed.
func TestCompare(t *testing.T) {
	row := func(id string, v term.Effect) Row { return Row{ID: id, LapResult: LapResult{Effect: v}} }
	before := Result{Rows: []Row{row("same", term.Kept.Effect()), row("worse", term.Kept.Effect()), row("better", term.Frozen.Effect()), row("gone", term.Kept.Effect()), row("found", term.NotExercised.Effect())}}
	now := Result{Rows: []Row{row("same", term.Kept.Effect()), row("worse", term.Lost.By(term.OldServer)), row("better", term.Kept.Effect()), row("new", term.Kept.Effect()), row("found", term.Frozen.Effect())}}
	got := map[string]term.RowChange{}
	for _, c := range CompareBaseline("sweep.json", before, now).Changes {
		got[c.ID] = c.Change
	}
	assert.Equal(t, map[string]term.RowChange{
		"worse": term.RowWorse, "better": term.RowBetter, "gone": term.RowVanished, "new": term.RowAppeared, "found": term.RowWorse,
	}, got)
}
