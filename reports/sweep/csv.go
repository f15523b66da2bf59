package sweep

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/sweep"
)

// column is one column of sweep.csv.
type column struct {
	name string
	of   func(sweep.Row) string
}

// columns are those of sweep.csv, in order. New ones are added at the end, so that a reader
// by number keeps working.
func columns() []column {
	yes := func(b bool) string { return fmt.Sprint(b) }
	return []column{
		{"id", func(r sweep.Row) string { return r.ID }},
		{"outcome", func(r sweep.Row) string { return string(r.Outcome) }},
		{"difference", func(r sweep.Row) string { return string(r.Difference.Difference) }},
		{"group", func(r sweep.Row) string { return r.Group }},
		{"version", func(r sweep.Row) string { return r.Version }},
		{"kind", func(r sweep.Row) string { return r.Kind }},
		{"type", func(r sweep.Row) string { return r.Type }},
		{"path", func(r sweep.Row) string { return r.Path }},
		{"name", func(r sweep.Row) string { return r.Name }},
		{"old", func(r sweep.Row) string { return r.Old }},
		{"new", func(r sweep.Row) string { return r.New }},
		{"reachable", func(r sweep.Row) string { return yes(r.Reachable) }},
		{"gates", func(r sweep.Row) string { return eachGate(r, func(g diff.Gate) string { return g.Name }) }},
		{"gates_old", func(r sweep.Row) string { return eachGate(r, func(g diff.Gate) string { return gateState(g.Old) }) }},
		{"gates_new", func(r sweep.Row) string { return eachGate(r, func(g diff.Gate) string { return gateState(g.New) }) }},
		{"lap", func(r sweep.Row) string { return string(r.Lap) }},
		{"playable", func(r sweep.Row) string { return yes(r.Playable) }},
		{"played", func(r sweep.Row) string { return yes(r.WasPlayed) }},
		{"exercised", func(r sweep.Row) string { return yes(r.Exercised) }},
		{"object", func(r sweep.Row) string { return r.Object }},
		{"origin", func(r sweep.Row) string { return string(r.Origin) }},
		{"cells", func(r sweep.Row) string { return fmt.Sprint(r.Played()) }},
		{"cells_with_outcome", func(r sweep.Row) string { return fmt.Sprint(r.PlayedWith(r.Effect)) }},
		{"writes", func(r sweep.Row) string { return strings.Join(writesOf(r.LapResult), "; ") }},
		{"class", func(r sweep.Row) string { return string(r.Class) }},
		{"rule", func(r sweep.Row) string { return string(r.Rule) }},
		{"cause", func(r sweep.Row) string { return string(r.Cause) }},
		{"known", func(r sweep.Row) string { return r.Known }},
		{"accepted", func(r sweep.Row) string { return r.Accepted }},
		{"reason", func(r sweep.Row) string { return r.Reason }},
		{"outcome_default", func(r sweep.Row) string { return effectIn(r, term.DefaultLap) }},
		{"outcome_gates", func(r sweep.Row) string { return effectIn(r, term.GatesLap) }},
		{"history", func(r sweep.Row) string { return view.Local(r.History) }},
		{"pre_existing", func(r sweep.Row) string { return yes(r.PreExisting) }},
		{"actor", func(r sweep.Row) string { return string(r.Actor) }},
	}
}

// CSV writes sweep.csv: a line for each row, with the columns' names first.
func CSV(w io.Writer, r sweep.Result, _ Options) error {
	var text bytes.Buffer
	out := csv.NewWriter(&text)
	line := func(of func(column) string) error {
		var cells []string
		for _, c := range columns() {
			cells = append(cells, of(c))
		}
		return out.Write(cells)
	}
	err := line(func(c column) string { return c.name })
	for i := 0; i < len(r.Rows) && err == nil; i++ {
		err = line(func(c column) string { return inertCell(c.of(r.Rows[i])) })
	}
	if err != nil {
		return fmt.Errorf("sweep.csv: %w", err)
	}
	out.Flush()
	return document.Write(w, "sweep.csv", text.Bytes())
}

// inertCell keeps a spreadsheet from taking a text for a formula: one that begins like a
// formula gets an apostrophe, which spreadsheets read as "this is text".
func inertCell(text string) string {
	text = term.Visible(text)
	if strings.HasPrefix(strings.TrimLeft(text, " "), "=") || text != "" && strings.ContainsRune("+-@|%＝＋－＠", []rune(text)[0]) {
		return "'" + text
	}
	return text
}

func eachGate(r sweep.Row, of func(diff.Gate) string) string {
	var all []string
	for _, g := range r.Gates {
		all = append(all, of(g))
	}
	return strings.Join(all, "; ")
}

// effectIn is the row's outcome in one lap, with its actor; "" if the lap did not play it.
func effectIn(r sweep.Row, lap term.Lap) string {
	for _, o := range r.Laps {
		if o.Lap == lap {
			return o.Effect.String()
		}
	}
	return ""
}
