package page

import (
	"io"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// mergedPage is the data of merge.html.
type mergedPage struct {
	document.Frame
	result.Merged
	Failed, Impacted, Unjudged, Tried []result.MergedRun
	Grids                             []mergedGrid
}

// mergedGrid is the runs of one component: a row for each scenario, a column for each pair.
type mergedGrid struct {
	Component string
	Pairs     []string
	Rows      []mergedRow
	// Dense draws the pairs' names upright, and only signs in the cells.
	Dense bool
}

type mergedRow struct {
	Scenario string
	Cells    [][]result.MergedRun // one for each pair; empty for pairs without a run
}

// maxWide is how many pairs have room for their names beside each other.
const maxWide = 6

// WriteMerged writes index.html of several runs: one file, without a script, whose links
// lead to the runs' own reports.
func WriteMerged(w io.Writer, m result.Merged) error {
	page := mergedPage{Frame: mergedFrame, Merged: m}
	for _, r := range m.Runs {
		switch r.Verdict {
		case term.Pass:
		case term.Fail:
			page.Failed = append(page.Failed, r)
		case term.Impacts:
			page.Impacted = append(page.Impacted, r)
		default:
			page.Unjudged = append(page.Unjudged, r)
		}
	}
	page.Tried = view.TriedRuns(m.Runs)
	page.Grids = mergedGrids(m.Runs)
	return document.HTML(w, "index.html", pages, "merge.html", page)
}

// mergedGrids arranges the runs in a grid for each component. Runs of unknown releases are
// in none.
func mergedGrids(runs []result.MergedRun) (all []mergedGrid) {
	for _, r := range runs {
		if r.Pair == "" {
			continue
		}
		if len(all) == 0 || all[len(all)-1].Component != r.Component {
			all = append(all, mergedGrid{Component: r.Component})
		}
		all[len(all)-1].add(r)
	}
	for i := range all {
		all[i].Dense = len(all[i].Pairs) > maxWide
		for j := range all[i].Rows {
			row := &all[i].Rows[j]
			row.Cells = append(row.Cells, make([][]result.MergedRun, len(all[i].Pairs)-len(row.Cells))...)
		}
	}
	return all
}

// add adds a run to the grid. Runs are ordered by pair, so that a new pair is the last.
func (g *mergedGrid) add(r result.MergedRun) {
	column := slices.Index(g.Pairs, r.Pair)
	if column < 0 {
		column = len(g.Pairs)
		g.Pairs = append(g.Pairs, r.Pair)
	}
	name := gridName(r)
	at := slices.IndexFunc(g.Rows, func(row mergedRow) bool { return row.Scenario == name })
	if at < 0 {
		at = len(g.Rows)
		g.Rows = append(g.Rows, mergedRow{Scenario: name})
	}
	row := &g.Rows[at]
	for len(row.Cells) <= column {
		row.Cells = append(row.Cells, nil)
	}
	row.Cells[column] = append(row.Cells[column], r)
}

// gridName returns the scenario with its mutant: what two runs in one cell share.
func gridName(r result.MergedRun) string {
	if r.Mutant == nil {
		return r.Scenario
	}
	return r.Scenario + "+" + r.Mutant.Name
}

// apart returns what distinguishes a run from the others in its cell; "" for an only run.
func apart(r result.MergedRun) string {
	return strings.TrimPrefix(strings.TrimPrefix(r.Name, gridName(r)), ", ")
}
