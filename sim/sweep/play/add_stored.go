package play

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/sweep"
)

// StoredReading is what the servers of a lap read of the values that both releases store.
type StoredReading struct {
	Lap  term.Lap
	Rows []FixtureRow
	// Without are the kinds, by their stored version, whose values are not known.
	Without []string
}

// AddStored returns rows with a cell for each fact of the readings that is about their difference. A fact
// that no difference of the whole comparison explains gets a row of its own, if the scope has it.
//
// A hidden field is what a field-added row predicts: its cell changes the verdict of rows that were
// exercised, and leaves the others not exercised, since writes may do worse.
func AddStored(rows []sweep.Row, s sweep.Scope, readings []StoredReading) []sweep.Row {
	for _, reading := range readings {
		for _, f := range facts(reading.Rows) {
			if slices.ContainsFunc(s.Whole, f.isOf) {
				for i := range rows {
					if rows[i].Difference.Difference != term.BehaviourChanged && f.isShownBy(rows[i].Difference) {
						put(&rows[i], reading.Lap, f)
					}
				}
			} else if s.HasUnexplained(f.apiVersion, f.kind) {
				rows = add(rows, f.row(reading.Lap), reading.Lap, f)
			}
		}
	}
	return rows
}

// add puts a fact into the row with the ID of its own row, which it adds if no row has it.
func add(rows []sweep.Row, own sweep.Row, lap term.Lap, f fact) []sweep.Row {
	i := slices.IndexFunc(rows, func(r sweep.Row) bool { return r.ID == own.ID })
	if i < 0 {
		i, rows = len(rows), append(rows, own)
	}
	put(&rows[i], lap, f)
	return rows
}

// put gives the outcome of a lap the cell of a fact. A lap that played nothing for the row gets an
// outcome if the fact is a loss.
func put(r *sweep.Row, lap term.Lap, f fact) {
	cell := f.cell()
	i := slices.IndexFunc(r.Laps, func(o sweep.LapResult) bool { return o.Lap == lap })
	if i < 0 && f.effect.Outcome == term.Hidden && r.Difference.Difference != term.BehaviourChanged {
		return
	}
	if i < 0 {
		i = len(r.Laps)
		r.Laps = append(r.Laps, sweep.LapResult{Lap: lap, Effect: term.NotExercised.Effect()})
	}
	o := &r.Laps[i]
	if slices.ContainsFunc(o.Cells, func(c sweep.Cell) bool { return c.Write == cell.Write && c.Effect == cell.Effect }) {
		return // another path of the same field
	}
	o.Cells = append(slices.Clip(o.Cells), cell)
	worse := o.Outcome == term.NotExercised || f.effect.WorseThan(o.Effect)
	predicted := f.effect.Outcome == term.Hidden && !o.Exercised && r.Difference.Difference != term.BehaviourChanged
	if worse && !predicted {
		o.Effect, o.Class, o.Rule, o.Cause = f.effect, "", "", cell.Cause
		o.Reason, o.History = cell.Message, ""
	}
}

// row is the row of a fact that no published difference explains.
func (f fact) row(lap term.Lap) sweep.Row {
	d := diff.Difference{Difference: term.BehaviourChanged, Kind: f.kind, Path: f.field, Name: f.effect.String(), Playable: true}
	d.Group, d.Version = sweep.CutAPIVersion(f.apiVersion)
	d.Places = []diff.Place{{APIVersion: f.apiVersion, Kind: f.kind, Path: f.field}}
	return sweep.Row{ID: sweep.RowID(d), Difference: d, Reachable: lap == term.DefaultLap}
}
