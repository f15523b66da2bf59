package page

import (
	"fmt"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
)

// survival is the table of how acknowledged values ended: a bar and numbers for each stage.
type survival struct {
	Gist   string // a sentence that sums it up, or empty if no value was read
	States []term.State
	Rows   []survivalRow
}

// survivalRow is one stage.
type survivalRow struct {
	Stage  string
	Bar    []barPart
	Shares []string // of each of the states
	Total  int
}

// barPart is a state's part of a bar, in percent.
type barPart struct {
	State       term.State
	From, Width float64
}

// thinnest is the least width of a part of a bar: the smallest part is often the important one.
const thinnest = 1.5

// drawSurvival draws, for each stage, which share of the acknowledged values the replicas
// served in which state.
func drawSurvival(r view.Run) survival {
	all := tallies(r)
	if len(all) == 0 {
		return survival{}
	}
	d := survival{Gist: survivalGist(all), States: statesOf(all)}
	for _, t := range all {
		row := survivalRow{Stage: t.Stage, Bar: bar(t, d.States), Total: t.Total}
		for _, s := range d.States {
			row.Shares = append(row.Shares, fmt.Sprintf("%s (%d)", percent(t.share(s)), t.Count[s]))
		}
		d.Rows = append(d.Rows, row)
	}
	return d
}

// bar draws the shares of the states side by side, each over the end of the one before it.
func bar(t tally, states []term.State) []barPart {
	var parts []barPart
	from := 0.0
	for _, s := range states {
		if share := 100 * t.share(s); share > 0 {
			start := min(from, 100-thinnest)
			parts = append(parts, barPart{s, start, 100 - start})
			from = max(from+share, start+thinnest)
		}
	}
	return parts
}

// statesOf returns the states in any of the tallies, best first: bars begin with what was kept.
func statesOf(all []tally) []term.State {
	counted := map[term.State]bool{}
	for _, t := range all {
		for s, n := range t.Count {
			counted[s] = counted[s] || n > 0
		}
	}
	var states []term.State
	for _, e := range term.States() {
		if counted[e.Word] {
			states = append([]term.State{e.Word}, states...)
		}
	}
	return states
}

// survivalGist says how the values ended, and where the fewest were kept.
func survivalGist(all []tally) string {
	last, least := all[len(all)-1], all[0]
	for _, t := range all {
		if t.share(term.Kept) < least.share(term.Kept) {
			least = t
		}
	}
	told := fmt.Sprintf("Of the acknowledged values, %s were kept when the last stage (%s) ended", percent(last.share(term.Kept)), view.Visible(last.Stage))
	switch {
	case least.share(term.Kept) == last.share(term.Kept):
		return told + "; no stage ended with fewer."
	case percent(least.share(term.Kept)) == percent(last.share(term.Kept)):
		return told + "; no stage ended with far fewer."
	}
	return fmt.Sprintf("%s; the fewest, %s, when stage %s ended.", told, percent(least.share(term.Kept)), view.Visible(least.Stage))
}
