package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestComparePreExisting: a row stays pre-existing without a change; what was pre-existing and begins with the new
// release is worse, and the other way round it is better.
func TestComparePreExisting(t *testing.T) {
	row := func(id string, v term.Fate, old bool) Row {
		return Row{ID: id, Outcome: Outcome{Verdict: v, PreExisting: old, Broken: 1}}
	}
	before := Result{Rows: []Row{row("same", term.FateLostByNew, true), row("begins", term.FateLostByNew, true), row("found out", term.FateLostByNew, false), row("another", term.FateMeansOther, true)}}
	now := Result{Rows: []Row{row("same", term.FateLostByNew, true), row("begins", term.FateLostByNew, false), row("found out", term.FateLostByNew, true), row("another", term.FateLostByOld, true)}}
	got := map[string]term.RowChange{}
	for _, c := range CompareBaseline("sweep.json", before, now).Changes {
		got[c.ID] = c.Change
	}
	assert.Equal(t, map[string]term.RowChange{"begins": term.RowWorse, "found out": term.RowBetter}, got)
}

// TestCompare: each change of a row, and none of a row that stayed.
func TestCompare(t *testing.T) {
	row := func(id string, v term.Fate) Row { return Row{ID: id, Outcome: Outcome{Verdict: v}} }
	before := Result{Rows: []Row{row("same", term.FateKept), row("worse", term.FateKept), row("better", term.FateFrozen), row("gone", term.FateKept), row("found", term.FateNotExercised)}}
	now := Result{Rows: []Row{row("same", term.FateKept), row("worse", term.FateLostByOld), row("better", term.FateKept), row("new", term.FateKept), row("found", term.FateFrozen)}}
	got := map[string]term.RowChange{}
	for _, c := range CompareBaseline("sweep.json", before, now).Changes {
		got[c.ID] = c.Change
	}
	assert.Equal(t, map[string]term.RowChange{
		"worse": term.RowWorse, "better": term.RowBetter, "gone": term.RowVanished, "new": term.RowAppeared, "found": term.RowWorse,
	}, got)
}
