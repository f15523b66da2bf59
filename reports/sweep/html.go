package sweep

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep"
)

//go:embed assets/*
var assets embed.FS

var frame = document.NewTableFrame(assets, "sweep.css", "detail.js", "cells.js", "model.js", "start.js")

// pages holds the parsed template.
var pages = document.Templates(assets, template.FuncMap{
	"seconds":    view.Seconds,
	"short":      view.ShortDigest,
	"share":      share,
	"report":     report,
	"because":    because,
	"skipped":    skippedReasons,
	"mismatches": mismatches,
	"chip":       func(f string, lap string, n int, label string) chip { return chip{f, lap, n, label} },
	"lap":        func(l term.Lap) string { return term.Laps().Meaning(l) },
})

// sweepPage is the data of the template.
type sweepPage struct {
	sweep.Result
	document.Frame
	Title       string
	Pack        template.HTML
	Definitions bool
	Failing     int
	Gated       string // the label of the outcome from which on rows fail; "" without a gate
	Tally       []tally
	// Without are classes that hide the columns in which no row has anything: definitions have
	// no gates, and one lap.
	Without string
}

// tally is how many rows have a verdict.
type tally struct {
	effect         term.Effect // none for pre-existing rows
	Word           string
	Sign           string
	Label, Meaning string
	Default, Gates int
}

// chip is the number of rows with a verdict in a lap, which selects them.
type chip struct {
	Word  string
	Lap   string
	Count int
	Label string
}

// HTML writes sweep.html: one file that opens from disk, and needs no network and no server.
// Its rows are packed, and drawn as far as the reader scrolls. Without JavaScript it shows
// everything but the rows.
func HTML(w io.Writer, r sweep.Result, o Options) error {
	definitions := ofDefinitions(r)
	d := sweepPage{
		Result: r, Frame: frame, Title: pair(r), Definitions: definitions, Failing: len(r.Failing(o.FailOn)), Tally: tallies(r.Totals, definitions), Without: emptyColumns(r),
	}
	if o.FailOn.Level.Outcome != "" {
		d.Gated = label(o.FailOn.Level, definitions)
	}
	var err error
	if d.Pack, err = document.Pack(packed(r, o, definitions)); err != nil {
		return fmt.Errorf("%s: %w", Page, err)
	}
	return document.HTML(w, Page, pages, Page, d)
}

// emptyColumns returns the classes that hide the columns of gates, of what is reachable by default, and of
// laps, each where it says the same of every row.
func emptyColumns(r sweep.Result) string {
	var hidden []string
	if !slices.ContainsFunc(r.Rows, func(row sweep.Row) bool { return len(row.Gates) > 0 }) {
		hidden = append(hidden, "without-gates")
	}
	if !slices.ContainsFunc(r.Rows, func(row sweep.Row) bool { return !row.Reachable }) {
		hidden = append(hidden, "without-reach")
	}
	if !slices.ContainsFunc(r.Laps, func(l sweep.LapSummary) bool { return l.Lap == term.GatesLap }) {
		hidden = append(hidden, "without-laps")
	}
	return strings.Join(hidden, " ")
}

// tallies returns the verdicts that rows have, worst first.
func tallies(t sweep.Totals, definitions bool) (all []tally) {
	for _, e := range sweep.Effects() {
		if t.Default[e.String()]+t.Gates[e.String()] > 0 {
			all = append(all, tally{e, wordOf(e), view.ShapeOf(e), label(e, definitions), meaning(e), t.Default[e.String()], t.Gates[e.String()]})
		}
	}
	if old := t.PreExisting; old[term.DefaultLap]+old[term.GatesLap] > 0 {
		all = append(all, tally{term.Effect{}, preExisting, preExistingSign, preExisting, preExistingWords, old[term.DefaultLap], old[term.GatesLap]})
	}
	return all
}
