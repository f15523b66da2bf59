package sweep

import (
	"github.com/skewsim/skewsim/scenarios/term"
)

// CompareBaseline returns the rows of a result that an earlier sweep does not have, or has with another
// verdict, and those that only the earlier one has.
func CompareBaseline(file string, before, now Result) *Baseline {
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
			b.Changes = append(b.Changes, Change{ID: r.ID, Change: term.RowVanished, What: r.What(), Before: r.Effect})
		}
	}
	return b
}

// standing returns the verdict that a row is compared by. With what is pre-existing, nothing begins.
func standing(r Row) term.Effect {
	if r.PreExisting {
		return term.Kept.Effect()
	}
	return r.Effect
}

func changed(was, is Row, known bool) (Change, bool) {
	c := Change{ID: is.ID, What: is.What(), Before: was.Effect, After: is.Effect}
	before, now := standing(was), standing(is)
	switch {
	case !known:
		c.Change = term.RowAppeared
	case now.WorseThan(before), now == before && is.Broken > 0 && was.Broken == 0 && !is.PreExisting:
		c.Change = term.RowWorse
	case before.WorseThan(now):
		c.Change = term.RowBetter
	default:
		// A row that is exercised for the first time and shows harm is news; one that no object
		// reaches any more says nothing about the release.
		if before == term.NotExercised.Effect() && now.WorseThan(term.Dropped.Effect()) {
			c.Change = term.RowWorse
			break
		}
		return c, false
	}
	return c, true
}
