package sweep

import (
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep"
)

// pageData is what the page's script draws rows of.
type pageData struct {
	Outcomes    []word            `json:"outcomes"` // worst first
	Differences map[string]string `json:"differences"`
	Causes      map[string]string `json:"causes"`
	Origins     map[string]string `json:"origins"`
	Rows        []pageRow         `json:"rows"`
}

// word is an outcome and its actor, with how they are shown.
type word struct {
	Word    string `json:"word"`
	Label   string `json:"label"`
	Sign    string `json:"sign"`
	Meaning string `json:"meaning"`
}

// wordOf is the word of an effect in the page: lost-old-server.
func wordOf(e term.Effect) string { return strings.ReplaceAll(e.String(), ":", "-") }

// pageRow is a row with the texts that all formats share.
type pageRow struct {
	sweep.Row
	Place     string         `json:"place"`
	GateNames []string       `json:"gateNames"`
	GateTexts []string       `json:"gateTexts"`
	Change    term.RowChange `json:"change,omitempty"` // since the baseline
	Fails     bool           `json:"fails,omitempty"`
	Line      int            `json:"line"`  // rows of one change have the same
	Shown     []pageOutcome  `json:"shown"` // of each lap
	// Laps hides those of the row, which Shown has.
	Laps *[]sweep.LapResult `json:"laps,omitempty"`
}

// pageOutcome is an outcome with the texts that all formats share.
type pageOutcome struct {
	sweep.LapResult
	Ruling  string   `json:"ruling"`
	Count   string   `json:"count"`
	Writes  []string `json:"writes"`
	History string   `json:"history,omitempty"` // an address that may be linked
}

func packed(r sweep.Result, o Options, definitions bool) pageData {
	d := pageData{
		Differences: meanings(term.DifferenceKinds()), Causes: meanings(term.Causes()), Origins: meanings(term.ObjectOrigins()),
		Rows: []pageRow{},
	}
	for _, e := range sweep.Effects() {
		d.Outcomes = append(d.Outcomes, word{wordOf(e), label(e, definitions), view.ShapeOf(e), meaning(e)})
	}
	d.Outcomes = append(d.Outcomes, word{preExisting, preExisting, preExistingSign, preExistingWords})
	changes := map[string]term.RowChange{}
	if r.Baseline != nil {
		for _, c := range r.Baseline.Changes {
			changes[c.ID] = c.Change
		}
	}
	for i, g := range r.Groups(o.FailOn) {
		for _, row := range g.Rows {
			drawn := drawRow(row, definitions)
			drawn.Line, drawn.Fails, drawn.Change = i, g.Fails, changes[row.ID]
			d.Rows = append(d.Rows, drawn)
		}
	}
	return d
}

// drawRow adds the texts to a row. Outcomes are in Shown alone, so that the page carries
// each cell once.
func drawRow(row sweep.Row, definitions bool) pageRow {
	p := pageRow{Row: row, Place: place(row.Difference), GateNames: []string{}, GateTexts: []string{}}
	for _, g := range row.Gates {
		p.GateNames, p.GateTexts = append(p.GateNames, g.Name), append(p.GateTexts, gate(g))
	}
	outcomes := row.Laps
	if len(outcomes) == 0 {
		outcomes = []sweep.LapResult{row.LapResult}
		outcomes[0].Lap = "" // no lap played it
	}
	for _, o := range outcomes {
		p.Shown = append(p.Shown, drawOutcome(o, definitions))
	}
	p.Row.Cells = nil
	return p
}

func drawOutcome(o sweep.LapResult, definitions bool) pageOutcome {
	o.Cells = slices.Clone(o.Cells) // the caller's stay as they are
	for i := range o.Cells {
		o.Cells[i].Stage = stage(o.Cells[i], definitions)
	}
	return pageOutcome{LapResult: o, Ruling: ruling(o), Count: cellCount(o), Writes: append([]string{}, writesOf(o)...), History: view.Local(o.History)}
}

func meanings[W ~string](words term.List[W]) map[string]string {
	all := map[string]string{}
	for _, e := range words {
		all[string(e.Word)] = e.Meaning
	}
	return all
}
