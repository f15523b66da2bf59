package page

import (
	"fmt"
	"math"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// tally counts, for one stage, the acknowledged values by the state in which the live
// replicas served them when the stage ended. A value is counted once for each replica.
type tally struct {
	Stage string
	Count map[term.State]int
	Total int
}

// share is a state's part of the stage's values, from 0 to 1.
func (t tally) share(s term.State) float64 { return float64(t.Count[s]) / float64(t.Total) }

// tallies counts the values of the ledger by stage, in the plan's order, without stages in
// which none was read. It counts states that the oracle wrote there, and judges none.
func tallies(r view.Run) []tally {
	at := map[string]int{}
	all := make([]tally, len(r.Plan.Stages))
	for i, stage := range r.Plan.Stages {
		at[stage.Name] = i
		all[i] = tally{Stage: stage.Name, Count: map[term.State]int{}}
	}
	for _, c := range r.Ledger.Copies {
		for stage, row := range lastRows(c.Rows) {
			if i, ok := at[stage]; ok {
				all[i].add(c.Fields, row)
			}
		}
	}
	var read []tally
	for _, t := range all {
		if t.Total > 0 {
			read = append(read, t)
		}
	}
	return read
}

// lastRows returns the last row with any view of each stage.
func lastRows(rows []result.Row) map[string]result.Row {
	last := map[string]result.Row{}
	for _, row := range rows {
		if len(row.Views) > 0 {
			last[row.Stage] = row
		}
	}
	return last
}

// add counts the values that were acknowledged by the time of the row.
func (t *tally) add(fields []result.Field, row result.Row) {
	for _, view := range row.Views {
		for _, f := range fields {
			if f.Step == 0 || f.Step > row.Step {
				continue
			}
			t.Count[stateOf(view, f.Path)]++
			t.Total++
		}
	}
}

// stateOf returns a value's state in a view: its own if the view has one, the view's if
// nothing in it could be read, and kept otherwise.
func stateOf(view result.View, path string) term.State {
	if s, ok := view.States[path]; ok {
		return s
	}
	if len(view.States) == 0 && view.State != "" {
		return view.State
	}
	return term.Kept
}

// percent formats a share. It rounds a non-zero share never to nothing, and an incomplete
// one never to all.
func percent(share float64) string {
	rounded := math.Round(100 * share)
	switch {
	case share > 0 && rounded == 0:
		return "<1 %"
	case share < 1 && rounded == 100:
		return ">99 %"
	}
	return fmt.Sprintf("%.0f %%", rounded)
}
