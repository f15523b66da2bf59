package preflight

import (
	"embed"
	"fmt"
	"html/template"
	"io"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight"
)

//go:embed assets/*
var assets embed.FS

var frame = document.NewTableFrame(assets, "preflight.css", "cells.js", "model.js", "start.js")

// pages holds the parsed templates.
var pages = document.Templates(assets, template.FuncMap{
	"seconds":   view.Seconds,
	"short":     view.ShortDigest,
	"grade":     gradeWord,
	"gradeSign": gradeSign,
	"title":     title,
	"capital":   view.Capitalized,
	"phase":     phaseWord,
	"deleted":   deletedLine,
	"object":    object,
	"filled":    defaultedLine,
	"chip": func(hop string, c outcome, k preflight.Kind) chip {
		return chip{hop, c, object(k.Group, k.Kind), k.Outcomes[c.Word]}
	},
})

// hopsPage is the data of the template.
type hopsPage struct {
	preflight.Result
	document.Frame
	Pack    template.HTML
	About   string // the source
	Drawn   []drawnHop
	Parts   []part
	Causes  int
	Held    []string
	Written string // headings
	Deleted string
	Filled  string
}

// drawnHop is a hop with the texts that all formats share.
type drawnHop struct {
	preflight.Hop
	At                       int
	Title, Shared, BaseTitle string
	Returning                []beyond
	Told                     []answer
	Columns                  []outcome
	Harmed                   []preflight.Kind
	Others                   string
	Ephemeral, Early         string
}

// chip is the number of objects of a kind with an outcome, which selects their rows.
type chip struct {
	Hop     string
	Outcome outcome
	Kind    string
	Count   int
}

// HTML writes preflight.html: one file that opens from disk, and needs no network and no server.
// Its rows are packed, and drawn as far as the reader scrolls. Without JavaScript it shows
// everything but the rows.
func HTML(w io.Writer, r preflight.Result, _ Options) error {
	d := hopsPage{
		Result: r, Frame: frame, About: source(r.Source) + judged(r), Parts: notCovered(r.Source), Written: writtenTitle, Deleted: deletedTitle, Filled: defaultedTitle, Held: remarks(r),
	}
	data := pageData{Outcomes: outcomes(), Rows: []pageRow{}}
	for i, h := range r.Hops {
		g := group(h)
		d.Drawn = append(d.Drawn, drawHop(i, h, g))
		data.add(i, h, g)
	}
	d.Causes = len(data.Rows)
	var err error
	if d.Pack, err = document.Pack(data); err != nil {
		return fmt.Errorf("%s: %w", Page, err)
	}
	return document.HTML(w, Page, pages, Page, d)
}

func drawHop(at int, h preflight.Hop, g grouped) drawnHop {
	d := drawnHop{Hop: h, At: at, Title: pair(h), Returning: returning(h), Shared: sharedLine(h), Told: answers(h), Ephemeral: g.Ephemeral, Early: g.Early, BaseTitle: baselineTitle(h)}
	found, others, objects := harmed(h.Kinds)
	d.Harmed, d.Columns = found, outcomesOf(found)
	if others > 0 {
		d.Others = othersLine(others, objects)
	}
	return d
}

// pageData is what the page's script draws rows of.
type pageData struct {
	Outcomes []outcome `json:"outcomes"` // worst first
	Rows     []pageRow `json:"rows"`
}

// pageRow is a cause with the texts that all formats share.
type pageRow struct {
	Cause
	ID     string `json:"id"`
	Hop    string `json:"hop"`
	About  string `json:"about"` // the kind with its group
	Where  string `json:"where"`
	Place  string `json:"place"`
	Count  string `json:"count"`
	Remedy string `json:"remedy"`
}

func (d *pageData) add(hop int, h preflight.Hop, g grouped) {
	for _, all := range [][]Cause{g.Causes, g.Baseline} {
		for _, c := range all {
			for i, name := range c.Phases {
				c.Phases[i] = phaseWord(h, name)
			}
			d.Rows = append(d.Rows, pageRow{c, fmt.Sprintf("%d-%d", hop+1, len(d.Rows)+1), term.Visible(pair(h)), term.Visible(object(c.Group, c.Kind)), where(h, c), place(c), c.count(), c.remedy()})
		}
	}
}
