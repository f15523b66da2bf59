package preflight

import (
	"cmp"
	"io"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/sim/preflight"
)

// FleetPage is the name of the page of many clusters.
const FleetPage = "fleet.html"

// Member is the preflight of one cluster.
type Member struct {
	Name   string
	Link   string // the address of its page, relative to the page of the fleet; "" for none
	Result preflight.Result
}

// fleetFrame has no table that filters, and so no script.
var fleetFrame = document.NewTableFrame(assets, "preflight.css")

// fleet is the data of the template.
type fleet struct {
	document.Frame
	Rows   []fleetRow
	Counts []fleetCount
}

// fleetRow is one direction of one hop of a cluster.
type fleetRow struct {
	Name, Ended, Hop, Direction string
	Link                        string
	Told                        answer
	Objects                     int
}

// fleetCount is how many directions have a grade.
type fleetCount struct {
	Grade preflight.Grade
	Count int
}

// Fleet writes fleet.html: one page with a row for each direction of each hop of each cluster. It
// has no script.
func Fleet(w io.Writer, members []Member) error {
	d := fleet{Frame: fleetFrame}
	count := map[preflight.Grade]int{}
	for _, m := range members {
		for _, row := range fleetRows(m) {
			d.Rows = append(d.Rows, row)
			count[row.Told.Grade]++
		}
	}
	for _, g := range []preflight.Grade{preflight.Blocked, preflight.Attention, preflight.Unknown, preflight.Ready} {
		d.Counts = append(d.Counts, fleetCount{g, count[g]})
	}
	return document.HTML(w, FleetPage, pages, FleetPage, d)
}

// FleetText writes a line for each direction of each hop of each cluster, and where the page is.
func FleetText(w io.Writer, members []Member, page string) error {
	d := document.Document{Title: "skewsim preflight: fleet", Places: []string{"page: " + page}}
	s := document.Section{Whole: true}
	for _, m := range members {
		for _, row := range fleetRows(m) {
			s.Rows = append(s.Rows, document.Row{Cells: []document.Cell{{Mark: gradeMark(row.Told.Grade), Text: document.Prose(row.Name + ": " + row.Told.Sentence)}}})
		}
		if m.Result.Ended != "" {
			s.Rows = append(s.Rows, document.Cells(m.Name+": ended early: "+m.Result.Ended))
		}
	}
	d.Add(s)
	return document.Terminal(w, d, document.TerminalOptions{})
}

func fleetRows(m Member) (rows []fleetRow) {
	row := fleetRow{Name: m.Name, Link: view.Local(m.Link), Ended: m.Result.Ended, Objects: m.Result.Source.Objects}
	for _, h := range m.Result.Hops {
		row.Hop = pair(h)
		for _, a := range answers(h) {
			if a.Grade == "" {
				a.Grade = preflight.Unknown
			}
			row.Direction, row.Told = directionWord(h, a.Direction), a
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		row.Told = answer{Grade: preflight.Unknown, Sentence: cmp.Or(m.Result.Ended, "Nothing was played.")}
		rows = append(rows, row)
	}
	return rows
}
