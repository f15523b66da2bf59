package sweep

import (
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep/identity"
)

// Compare returns the rows of a result that an earlier sweep does not have, or has with another
// verdict, and those that only the earlier one has.
func Compare(file string, before, now Result) *Baseline {
	b := &Baseline{File: file, Changes: []Change{}}
	earlier := map[string]Row{}
	for _, r := range before.Rows {
		earlier[r.ID] = r
	}
	for _, r := range now.Rows {
		was, known := earlier[r.ID]
		delete(earlier, r.ID)
		if change, differs := changed(was, r, known); differs {
			b.Changes = append(b.Changes, change)
		}
	}
	for _, r := range before.Rows {
		if _, gone := earlier[r.ID]; gone {
			b.Changes = append(b.Changes, Change{ID: r.ID, Change: term.RowVanished, What: whatOf(r), Before: r.Verdict})
		}
	}
	return b
}

func changed(was, is Row, known bool) (Change, bool) {
	c := Change{ID: is.ID, What: whatOf(is), Before: was.Verdict, After: is.Verdict}
	switch {
	case !known:
		c.Change = term.RowAppeared
	case is.Verdict.WorseThan(was.Verdict):
		c.Change = term.RowWorse
	case was.Verdict.WorseThan(is.Verdict):
		c.Change = term.RowBetter
	default:
		// A row that is exercised for the first time and shows harm is news; one that no object
		// reaches any more says nothing about the release.
		if was.Verdict == term.FateNotExercised && is.isHarm() {
			c.Change = term.RowWorse
			break
		}
		return c, false
	}
	return c, true
}

// isHarm reports whether the row shows a loss or worse.
func (r Row) isHarm() bool { return r.Verdict.WorseThan(term.FateDropped) }

// whatOf says a row's difference in words.
func whatOf(r Row) string {
	return strings.Join(identity.WithoutEmpty([]string{string(r.Difference.Difference), nameOf(r)}), " ")
}
