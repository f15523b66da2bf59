package sweep

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep"
)

// What a terminal shows of each list: what fits on one screen. The rest is counted.
const (
	maxRows       = 20
	maxReasons    = 10
	maxMismatches = 5
)

// The rooms of the sections of sweep.md in bytes: together less than a comment on a pull request
// holds. Sections without one have that of the document.
const (
	roomChanges      = 6_000
	roomRows         = 25_000
	roomPreExisting  = 4_000
	roomNotExercised = 7_000
	roomNotCompared  = 4_000
	maxText          = 200 // characters of one text in a table
)

// filler is a sweep whose document is being filled.
type filler struct {
	sweep.Result
	Options
	definitions bool // the releases are sets of definitions on one server
}

// documentOf fills the document of a sweep: the answer and the totals first, then the rows that were
// not kept, worst first, and what is not known.
func documentOf(result sweep.Result, o Options) document.Document {
	r := filler{result, o, ofDefinitions(result)}
	d := document.Document{
		Title: "skewsim sweep: " + pair(result), Ended: r.Ended, Command: r.Command, Page: Page, MaxText: maxText, Places: r.places(),
	}
	if r.Warning != "" {
		d.Lead = append(d.Lead, document.Cell{Mark: document.Mark{Word: "Warning:", Severity: document.Bad}, Text: document.Prose(r.Warning)})
	}
	d.Lead = append(d.Lead, document.Marked(document.Mark{Word: r.Answer, Severity: document.Warning}))
	d.Add(r.figures())
	if len(r.Laps) == 0 {
		d.Add(r.planned())
	} else {
		d.Add(r.totals(), r.changes())
	}
	d.Add(r.rows()...)
	d.Add(r.notExercised()...)
	lines := mismatches(result)
	d.Add(document.Section{Title: fmt.Sprintf("%s: %d", strings.ToLower(mismatchTitle), len(lines)), Folded: true, Lines: maxMismatches, Rows: document.List(lines)},
		document.Section{Title: fmt.Sprintf("not compared: %d", len(r.NotCompared)), Folded: true, Only: document.InMarkdown, Room: roomNotCompared, Rows: document.List(r.NotCompared)})
	if n := len(r.NotCompared); n > 0 {
		d.Add(document.Section{Only: document.OnTerminal, Text: document.Prose(fmt.Sprintf("not compared: %d, listed in %s", n, Page))})
	}
	d.Add(document.Section{Title: fmt.Sprintf("notes: %d", len(r.Notes)), Folded: true, Rows: document.List(r.Notes)})
	return d
}

// places are where the files are.
func (r filler) places() (places []string) {
	if r.Dir == "" {
		return nil
	}
	places = append(places, "page: "+filepath.Join(r.Dir, Page))
	for _, l := range r.Laps {
		if l.Run != "" {
			places = append(places, string(l.Lap)+" lap: "+filepath.Join(r.Dir, l.Run, view.ReportFile))
		}
	}
	return places
}

// figures say how much was compared, played and exercised, and what that took.
func (r filler) figures() document.Section {
	t := r.Totals
	lines := []string{fmt.Sprintf("%s, %d to play", term.Numbered(t.Differences, "difference"), t.Playable)}
	if len(r.Laps) > 0 {
		lines = []string{sum(t), "added fields exercised: " + share(t.AddedFields)}
		if t.VersionPairs != nil {
			lines = append(lines, "version pairs exercised: "+share(*t.VersionPairs))
		}
		if r.FailOn.Level.Outcome != "" {
			lines = append(lines, fmt.Sprintf("rows that fail (%s or worse): %d", label(r.FailOn.Level, r.definitions), len(r.Failing(r.FailOn))))
		}
		if r.Timing == nil { // of laps side by side, the sum is more than the sweep took
			lines = append(lines, "played in "+view.Seconds(seconds(r.Laps)))
		}
	}
	if r.Timing != nil {
		own, all := r.Timing.SimulatorCPU, r.Timing.SimulatorCPU+r.Timing.ServersCPU
		lines = append(lines, fmt.Sprintf("took %.0f s, and %.0f CPU-seconds: %.0f%% of them and at most %d MB in skewsim, the others in servers",
			r.Timing.Seconds, all, 100*own/max(all, 0.001), r.Timing.Memory>>20))
	}
	return document.Section{Rows: document.List(lines)}
}

// markOf is an outcome as readers see it.
func (r filler) markOf(e term.Effect) document.Mark {
	m := document.Mark{Sign: view.ShapeOf(e), Word: label(e, r.definitions), Severity: document.Warning}
	switch {
	case e == term.Kept.Effect():
		m.Severity = document.Good
	case !e.WorseThan(term.Kept.Effect()):
		m.Severity = document.Faint
	case e.WorseThan(term.Changed.Effect()):
		m.Severity = document.Bad
	}
	return m
}

// totals count the rows with each outcome, by lap.
func (r filler) totals() document.Section {
	s := document.Section{Aligned: true, Columns: []document.Column{
		{Head: "default", Right: true}, {Head: "gates on", Right: true}, {Head: "outcome"}, {Head: "meaning", Only: document.InMarkdown},
	}}
	for _, t := range tallies(r.Totals, r.definitions) {
		mark := document.Mark{Sign: preExistingSign, Word: preExisting, Severity: document.Faint}
		if t.Word != preExisting {
			mark = r.markOf(t.effect)
		}
		row := document.Cells(fmt.Sprint(t.Default), fmt.Sprint(t.Gates))
		row.Cells = append(row.Cells, document.Marked(mark))
		s.Rows = append(s.Rows, row.With(t.Meaning))
	}
	return s
}

// changes are what differs from the baseline.
func (r filler) changes() document.Section {
	if r.Baseline == nil {
		return document.Section{}
	}
	s := document.Section{
		Title: fmt.Sprintf("compared with %s: %s", r.Baseline.File, term.Numbered(len(r.Baseline.Changes), "change")), Room: roomChanges, Lines: maxRows,
		Columns: []document.Column{{Head: "change"}, {Head: "difference"}, {Head: "before → now"}},
	}
	if len(r.Baseline.Changes) == 0 {
		s.Text = document.Prose("Nothing has changed.")
	}
	word := func(e term.Effect) string {
		if e.Outcome == "" {
			return "absent"
		}
		return view.ShapeOf(e) + " " + label(e, r.definitions)
	}
	for _, c := range r.Baseline.Changes {
		row := document.Row{Cells: []document.Cell{document.Marked(document.Mark{Word: string(c.Change)})}}
		s.Rows = append(s.Rows, row.With(c.What, word(c.Before)+" → "+word(c.After)))
	}
	return s
}

// planned are all differences of a sweep that no lap played: there is no outcome to count.
func (r filler) planned() document.Section {
	s := document.Section{Title: "differences", Only: document.OnTerminal, Aligned: true, Columns: make([]document.Column, 2)}
	for _, row := range r.Rows {
		text := place(row.Difference)
		if about := gates(row.Difference); about != "" {
			text += " (" + about + ")"
		}
		if !row.Playable {
			text += ", listed only"
		}
		s.Rows = append(s.Rows, document.Cells(string(row.Difference.Difference), text))
	}
	return s
}

// isHarmed reports whether something happened to a row with the new release: it was not kept, and that was not so
// before.
func isHarmed(row sweep.Row) bool {
	return row.Effect.WorseThan(term.Kept.Effect()) && !row.PreExisting
}

// rows are the rows that fail and the others that were not kept, worst first, and those that were
// there before. A terminal shows the others only if none fails.
func (r filler) rows() []document.Section {
	all := r.Groups(r.FailOn)
	of := func(holds func(sweep.Group) bool) []sweep.Group {
		return slices.DeleteFunc(slices.Clone(all), func(g sweep.Group) bool { return !holds(g) })
	}
	failing := of(func(g sweep.Group) bool { return g.Fails })
	harmed := of(func(g sweep.Group) bool { return !g.Fails && isHarmed(g.Rows[0]) })
	roomFailing, roomOthers := roomRows*2/3, roomRows/3
	if len(harmed) == 0 {
		roomFailing = roomRows
	}
	if len(failing) == 0 {
		roomOthers = roomRows
	}
	others := r.groups("worst rows", roomOthers, harmed)
	switch {
	case len(failing) > 0:
		others.Title, others.Only = strings.Replace(others.Title, "worst rows", "other rows that were not kept in every cell", 1), document.InMarkdown
	case r.FailOn.Level.Outcome != "":
		others.Title = "no row fails; " + others.Title
	}
	return []document.Section{
		r.groups("rows that fail", roomFailing, failing), others,
		r.groups(preExisting+", so no change: "+preExistingWords, roomPreExisting, of(func(g sweep.Group) bool { return g.Rows[0].PreExisting })),
	}
}

// groups are changes, with the first row of each.
func (r filler) groups(title string, room int, groups []sweep.Group) document.Section {
	rows := 0
	for _, g := range groups {
		rows += len(g.Rows)
	}
	title = fmt.Sprintf("%s: %d", title, rows)
	if rows > len(groups) {
		title += ", of " + term.Numbered(len(groups), "change")
	}
	s := document.Section{Title: title, Room: room, Lines: maxRows, Noun: "change", Columns: []document.Column{
		{Head: "outcome"}, {Head: "difference"}, {Head: "also"}, {Head: "cells"}, {Beside: true}, {Head: "reachable", Beside: true},
		{Beside: true}, {Head: "why, and by which writes", Beside: true}, {Beside: true},
	}}
	said := ""
	for _, g := range groups {
		row := g.Rows[0]
		ruled := ruling(row.LapResult)
		if row.Known != "" {
			ruled += ": " + row.Known
		}
		drawn := document.Row{Cells: []document.Cell{document.Marked(r.markOf(row.Effect))}}.With(
			fmt.Sprintf("%s: %s", row.Difference.Difference, place(row.Difference)), also(g), cellCount(row.LapResult), ruled,
			reachable(row), gates(row.Difference), why(row.LapResult), strings.Join(writesOf(row.LapResult), "; "))
		for _, row := range g.Rows[:min(len(g.Rows), maxNamed)] {
			if text := uninstallable(row, &said); text != "" {
				drawn.Whole = append(drawn.Whole, document.Prose(text))
			}
		}
		s.Rows = append(s.Rows, drawn)
	}
	return s
}

// uninstallable says why servers refuse to install a definition of a row's kind, whole: nobody can
// act on less. Rows need not repeat what was said last.
func uninstallable(row sweep.Row, said *string) string {
	cells := row.Uninstallable()
	if len(cells) == 0 {
		return ""
	}
	words := cells[0].Message
	if words == *said {
		words = "as above"
	} else {
		*said = words
	}
	return fmt.Sprintf("cannot be installed on %s: %s", rollOuts(cells), words)
}

// notExercised are the reasons why rows were not exercised, the most frequent first, and these rows.
func (r filler) notExercised() []document.Section {
	if len(r.Laps) == 0 {
		return nil
	}
	reasons := document.Section{
		Title: fmt.Sprintf("not exercised, so nothing is known of them: %d", r.Totals.NotExercised),
		Lines: maxReasons, Noun: "reason", Aligned: true, Columns: []document.Column{{Head: "rows", Right: true}, {Head: "reason"}},
	}
	for _, reason := range r.Totals.Reasons {
		reasons.Rows = append(reasons.Rows, document.Cells(fmt.Sprint(reason.Rows), because(r.Result, reason)))
	}
	var lines []string
	for _, row := range r.Rows {
		if row.Outcome == term.NotExercised || row.Outcome == term.Indeterminate {
			lines = append(lines, fmt.Sprintf("%s: %s", place(row.Difference), cmp.Or(row.Reason, "no reason was given")))
		}
	}
	rows := document.Section{Title: fmt.Sprintf("each row that was not exercised: %d", len(lines)), Folded: true, Only: document.InMarkdown, Room: roomNotExercised, Rows: document.List(lines)}
	return []document.Section{reasons, rows}
}

// suiteOf fills the suite of a sweep: each row is a case. A row that the gate lets fail is a failure;
// one that was not exercised, or that is pre-existing, is skipped, with the reason. A sweep that ended
// early has a case with an error, since the rows that are missing did not pass.
func suiteOf(result sweep.Result, o Options) document.Suite {
	r := filler{result, o, ofDefinitions(result)}
	suite := document.Suite{Name: "sweep " + pair(result), Seconds: seconds(r.Laps), Page: Page, Output: []string{"page: " + Page}}
	suite.Add("answer", r.Answer)
	suite.Add("seed", fmt.Sprint(r.Seed))
	suite.Add("repeat", r.Command)
	if r.Ended != "" {
		suite.Cases = append(suite.Cases, document.Case{
			Name: "the whole sweep was played", Class: []string{"sweep"}, Outcome: document.Errored, Kind: string(term.Unknown), Message: r.Ended, Text: document.LinesOf(r.Ended),
		})
	}
	for _, g := range r.Groups(o.FailOn) { // the rows of one change are beside each other
		for _, row := range g.Rows {
			suite.Cases = append(suite.Cases, r.rowCase(row, g.Fails))
		}
	}
	return suite
}

// rowCase is the case of one row. Its name is unique, since the row's ID is.
func (r filler) rowCase(row sweep.Row, fails bool) document.Case {
	c := document.Case{
		Name:  fmt.Sprintf("%s: %s (%s)", row.Difference.Difference, place(row.Difference), row.ID),
		Class: []string{"sweep", cmp.Or(row.Kind, "release")},
	}
	outcome := label(row.Effect, r.definitions)
	switch {
	case fails:
		c.Outcome, c.Kind, c.Message, c.Text = document.Failed, row.Effect.String(), outcome+": "+place(row.Difference), r.caseText(row)
	case row.PreExisting:
		c.Outcome, c.Message = document.Skipped, "pre-existing, the old release alone does it too: "+outcome+", "+why(row.LapResult)
	case row.Outcome == term.NotExercised || row.Outcome == term.Indeterminate:
		c.Outcome, c.Message = document.Skipped, cmp.Or(row.Reason, outcome)
	default:
		c.Text = r.caseText(row)
	}
	return c
}

// caseText is what a row says, one fact a line.
func (r filler) caseText(row sweep.Row) (lines []document.Line) {
	add := func(name, text string) {
		if text != "" {
			lines = append(lines, document.Line{Text: name + ": " + text})
		}
	}
	add("outcome", strings.TrimSpace(label(row.Effect, r.definitions)+" "+cellCount(row.LapResult)))
	add("reachable", reachable(row))
	add("gates", gates(row.Difference))
	add("ruling", ruling(row.LapResult))
	add("known bug", row.Known)
	add("cause", string(row.Cause))
	add("reason", row.Reason)
	listed := cellsOf(row.LapResult)
	for _, c := range listed {
		add("cell", strings.TrimSuffix(strings.Join([]string{c.Write, stage(c, r.definitions), c.Message}, ", "), ", "))
	}
	if more := row.PlayedWith(row.Effect) - len(listed); more > 0 {
		add("and more", term.Numbered(more, "cell"))
	}
	add("history", view.Local(row.History))
	return lines
}
