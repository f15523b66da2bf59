package sweep

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/page"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep"
)

//go:embed assets/*
var assets embed.FS

// style and script are the page's, whole.
var (
	style  = page.TableStyle(asset("sweep.css"))
	script = page.TableScript(asset("detail.js") + asset("cells.js") + asset("model.js") + asset("start.js"))
)

func asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is compiled in, or its name is wrong
	}
	return string(text)
}

// pages holds the parsed template.
var pages = template.Must(template.New("sweep.html").Funcs(template.FuncMap{
	"v":          func(text any) string { return view.Visible(fmt.Sprint(text)) },
	"seconds":    view.Seconds,
	"short":      view.ShortDigest,
	"share":      share,
	"report":     report,
	"because":    because,
	"skipped":    skippedReasons,
	"mismatches": mismatches,
	"chip":       func(f string, lap string, n int, label string) chip { return chip{f, lap, n, label} },
	"lap":        func(l term.Lap) string { return term.Laps().Meaning(l) },
}).ParseFS(assets, "assets/sweep.html"))

// document is the data of the template.
type document struct {
	sweep.Result
	Title       string
	Policy      string
	Style       template.CSS
	Script      template.JS
	Pack        template.HTML
	Definitions bool
	Failing     int
	Gated       string // the label of the fate from which on rows fail; "" without a gate
	Tally       []tally
	// Without are classes that hide the columns in which no row has anything: definitions have
	// no gates, and one lap.
	Without string
}

// tally is how many rows have a verdict.
type tally struct {
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
	d := document{
		Result: r, Title: pair(r), Definitions: definitions, Failing: len(r.Failing(o.FailOn)), Tally: tallies(r.Totals, definitions), Without: emptyColumns(r),
		Style: template.CSS(style), Script: template.JS(script), //nolint:gosec // ours
		Policy: page.Policy(style, script),
	}
	if o.FailOn.Level.Outcome != "" {
		d.Gated = label(o.FailOn.Level, definitions)
	}
	text, err := json.Marshal(packed(r, o, definitions))
	if err != nil {
		return fmt.Errorf("%s: %w", Page, err)
	}
	if d.Pack, err = page.Compress(text); err != nil {
		return fmt.Errorf("%s: %w", Page, err)
	}
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, "sweep.html", d); err != nil {
		return fmt.Errorf("%s: draw: %w", Page, err)
	}
	return written(w, Page, page.Bytes())
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
			all = append(all, tally{wordOf(e), sign(e), label(e, definitions), meaning(e), t.Default[e.String()], t.Gates[e.String()]})
		}
	}
	if old := t.PreExisting; old[term.DefaultLap]+old[term.GatesLap] > 0 {
		all = append(all, tally{preExisting, preExistingSign, preExisting, preExistingWords, old[term.DefaultLap], old[term.GatesLap]})
	}
	return all
}
