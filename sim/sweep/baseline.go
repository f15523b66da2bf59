package sweep

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Baseline is the comparison with an earlier sweep.json.
type Baseline struct {
	File string `json:"file"` // as the user named it
	// Changes are the rows that differ, in the order of the rows; vanished ones last.
	Changes []Change `json:"changes"`
}

// Change is a row that is not what it was in the baseline.
type Change struct {
	ID     string         `json:"id"` // of the row
	Change term.RowChange `json:"change"`
	// What is the difference in words, also of a row that is no longer there.
	What   string      `json:"what"`
	Before term.Effect `json:"before,omitzero"` // zero if the row appeared
	After  term.Effect `json:"after,omitzero"`  // zero if the row vanished
}

// Gate decides which rows fail a sweep.
type Gate struct {
	// Level is the effect from which on a row fails: that one, and every worse one. The zero Effect
	// fails no row.
	Level term.Effect
	// AllowImpacts accepts impacts, which rule-6 expects: a row fails by what breaks a rule.
	AllowImpacts bool
}

// Failing returns the rows that fail and nobody has accepted: those at the gate's level or worse, and
// those whose definition servers refuse to install. After a comparison with a baseline only rows that
// appeared or got worse fail.
func (r Result) Failing(g Gate) []Row {
	var rows []Row
	for _, row := range r.Rows {
		if g.fails(row) && r.isNew(row.ID) {
			rows = append(rows, row)
		}
	}
	return rows
}

func (g Gate) fails(row Row) bool {
	switch {
	case row.Accepted != "" || row.PreExisting || g.Level.Outcome == "":
		return false
	case row.Uninstalled():
		return true // nobody upgrades or rolls back to a release that cannot be installed
	case !g.reaches(row.Effect):
		return false
	case !g.AllowImpacts || row.Class != term.Impact:
		return true
	}
	return slices.ContainsFunc(row.Cells, func(c Cell) bool { return c.Class == term.Violation && !c.PreExisting && g.reaches(c.Effect) })
}

// Uninstalled reports whether servers refused to install a definition of the row's kind.
func (o LapResult) Uninstalled() bool { return len(o.Uninstallable()) > 0 }

// Uninstallable returns the cells in which servers refused to install a definition of the row's kind.
func (o LapResult) Uninstallable() (all []Cell) {
	for _, c := range o.Cells {
		if c.Rule == term.RuleInstallable && c.Class == term.Violation {
			all = append(all, c)
		}
	}
	return all
}

// reaches reports whether an effect is the gate's level or worse.
func (g Gate) reaches(f term.Effect) bool { return g.Level.Outcome != "" && f.Reaches(g.Level) }

// isNew reports whether a row appeared or got worse; every row is new without a baseline.
func (r Result) isNew(id string) bool {
	return r.Baseline == nil || slices.ContainsFunc(r.Baseline.Changes, func(c Change) bool {
		return c.ID == id && (c.Change == term.RowAppeared || c.Change == term.RowWorse)
	})
}
