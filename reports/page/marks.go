package page

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// The measures of the strip of findings.
const (
	markHeight = 20
	markPitch  = 24
	markRows   = 3 // more would push the lanes off the first screen
)

// countOf is what the findings of one mark share.
type countOf struct {
	Stage    string
	Expected bool
	State    term.Outcome
}

// occurrence is how many findings share it, and the first of them.
type occurrence struct {
	countOf
	Count  int
	first  result.Finding
	copied bool // one of them is about a copy: the states show it
}

// Link returns a link to the counted findings: to a single finding, or to the states with a
// filter. No state shows findings about a whole LIST, so the link leads to the first of
// them.
func (c occurrence) Link() template.URL {
	if c.Count == 1 || !c.copied {
		return view.Linked(view.FindingLink(c.first))
	}
	return view.Linked(view.FilterLink("stage", c.Stage, "outcome", string(c.State)))
}

// drawMarks draws, above each stage, a chip for each state that was found in it: unexpected
// ones first, then the worst.
func (t *Timeline) drawMarks(r view.Run) {
	byStage := map[string][]*occurrence{}
	for _, c := range countFindings(r.Result.Findings) {
		byStage[c.Stage] = append(byStage[c.Stage], c)
	}
	rows := 0
	for _, c := range t.Columns {
		counts := byStage[c.Full]
		marks, used := marksOf(c, counts)
		t.Tally = append(t.Tally, counts)
		t.Marks = append(t.Marks, marks...)
		rows = max(rows, used)
	}
	if rows > 0 {
		t.Strip = 4 + rows*markPitch
		t.Middle = 4 + markHeight/2
	}
}

// countFindings counts by stage, expectation and state, the worst first.
func countFindings(findings []result.Finding) []*occurrence {
	at := map[countOf]*occurrence{}
	var all []*occurrence
	for _, f := range view.WorstFirst(findings) {
		key := countOf{f.Stage, f.Expected, f.Outcome}
		c := at[key]
		if c == nil {
			c = &occurrence{countOf: key, first: f}
			at[key] = c
			all = append(all, c)
		}
		c.Count++
		c.copied = c.copied || f.Copy != ""
	}
	slices.SortStableFunc(all, func(a, b *occurrence) int {
		return cmp.Or(cmp.Compare(view.FalseFirst(a.Expected), view.FalseFirst(b.Expected)), cmp.Compare(view.Severity(a.State), view.Severity(b.State)))
	})
	return all
}

// Center returns the center of a chip's text.
func (m mark) Center() int { return m.X + m.Width/2 }

// marksOf arranges a stage's chips in rows, and returns the number of rows. A last chip
// counts those without room.
func marksOf(c column, counts []*occurrence) ([]mark, int) {
	var marks []mark
	x, row := c.X+6, 0
	for i, n := range counts {
		m := markOf(n)
		if x+m.Width > c.X+c.Width-2 && x > c.X+6 {
			x, row = c.X+6, row+1
		}
		if row == markRows {
			return append(marks[:len(marks)-1], restOf(marks[len(marks)-1], c, counts[i-1:])), row
		}
		m.X, m.Y = x, 4+row*markPitch
		x += m.Width + 4
		marks = append(marks, m)
	}
	if len(marks) == 0 {
		return nil, 0
	}
	return marks, row + 1
}

// markOf returns the chip of one count, with its link.
func markOf(n *occurrence) mark {
	m := mark{State: n.State, Expected: n.Expected, Link: n.Link(), Text: fmt.Sprintf("%s %d", view.Shape(n.State), n.Count)}
	m.Width = textWidth(m.Text, plainType) + 10
	wanted := "not expected"
	if n.Expected {
		wanted = "expected"
	}
	m.Title = fmt.Sprintf("%s: %d %s, %s", term.Visible(n.Stage), n.Count, n.State, wanted)
	return m
}

// restOf replaces a chip by one that counts those without room.
func restOf(place mark, c column, rest []*occurrence) mark {
	n, known := 0, true
	for _, r := range rest {
		n += r.Count
		known = known && r.Expected
	}
	text := fmt.Sprintf("+%d", n)
	return mark{X: place.X, Y: place.Y, Width: textWidth(text, plainType) + 10, Text: text, Expected: known,
		Title: fmt.Sprintf("%s: %d more", term.Visible(c.Full), n), Link: view.Linked(view.FilterLink("stage", c.Full))}
}
