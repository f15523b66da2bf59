package plots

import (
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// tally counts, for one stage, the acknowledged values by the state in which the live
// replicas served them when the stage ended. A value is counted once for each replica.
type tally struct {
	Stage string
	Count map[term.Outcome]int
	Total int
}

// share is a state's part of the stage's values, from 0 to 1.
func (t tally) share(s term.Outcome) float64 {
	if t.Total == 0 {
		return 0
	}
	return float64(t.Count[s]) / float64(t.Total)
}

// survival tallies the ledger by stage, in the plan's order. It counts states that the
// oracle wrote there, and judges none.
func survival(r view.Run) []tally {
	at := map[string]int{}
	var tallies []tally
	for _, stage := range r.Plan.Stages {
		at[stage.Name] = len(tallies)
		tallies = append(tallies, tally{Stage: stage.Name, Count: map[term.Outcome]int{}})
	}
	for _, c := range r.Ledger.Copies {
		for stage, row := range lastRows(c.Rows) {
			if i, ok := at[stage]; ok {
				tallies[i].add(c.Fields, row)
			}
		}
	}
	return tallies
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
func stateOf(view result.View, path string) term.Outcome {
	if s, ok := view.Outcomes[path]; ok {
		return s
	}
	if len(view.Outcomes) == 0 && view.Outcome != "" {
		return view.Outcome
	}
	return term.Kept
}

// seen returns the states in any of the tallies, best first: bars begin with what was kept.
func seen(tallies []tally) []term.Outcome {
	var states []term.Outcome
	all := term.RunOutcomes()
	for i := len(all) - 1; i >= 0; i-- {
		for _, t := range tallies {
			if t.Count[all[i].Word] > 0 {
				states = append(states, all[i].Word)
				break
			}
		}
	}
	return states
}
