package sweep

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/markdown"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep"
)

// The limits of the parts of sweep.md in bytes: together less than a comment on a pull request
// holds.
const (
	roomChanges      = 8_000
	roomRows         = 30_000
	roomPreExisting  = 4_000
	roomNotExercised = 10_000
	roomNotCompared  = 5_000
	roomMismatches   = 3_000
	roomNotes        = 3_000
	// maxWords are the characters of one text in a table.
	maxWords = 200
)

// Markdown writes sweep.md for the summary of a CI job or a comment on a pull request: the
// answer and the totals first, then a table of the rows that were not kept, worst first. Every
// list is limited, and says how many items it leaves out.
func Markdown(w io.Writer, r sweep.Result, o Options) error {
	d := summary{&markdown.Document{}, r}
	d.Line("### skewsim sweep: %s\n", prose(pair(r)))
	if r.Ended != "" {
		d.Line("**This sweep ended early: %s**\n", prose(r.Ended))
	}
	if r.Warning != "" {
		d.Line("**Warning: %s**\n", markdown.Prose(brief(r.Warning, maxText)))
	}
	d.Line("%s\n", markdown.Prose(brief(r.Answer, maxText)))
	d.figures(o)
	d.totals()
	d.changes()
	d.rows(o)
	d.notExercised()
	d.folded(mismatchTitle, roomMismatches, mismatches(d.Result))
	d.folded("Not compared", roomNotCompared, r.NotCompared)
	d.folded("Notes", roomNotes, r.Notes)
	if r.Command != "" {
		d.Line("\nAgain: %s", markdown.Code(brief(r.Command, maxText)))
	}
	return written(w, "sweep.md", d.Bytes())
}

func prose(text string) string { return markdown.Prose(brief(text, maxWords)) }

func cell(text string) string { return markdown.Cell(brief(text, maxWords)) }

// summary is sweep.md that is being written.
type summary struct {
	*markdown.Document
	sweep.Result
}

// figures writes how much was compared, played and exercised.
func (d summary) figures(o Options) {
	t := d.Totals
	d.Line("- %s", sum(t))
	d.Line("- added fields exercised: %s", share(t.AddedFields))
	if o.FailOn.Level.Outcome != "" {
		d.Line("- rows that fail (%s or worse): **%d**", label(o.FailOn.Level, ofDefinitions(d.Result)), len(d.Failing(o.FailOn)))
	}
	if len(d.Laps) > 0 {
		d.Line("- played in %s", view.Seconds(seconds(d.Laps)))
	}
}

// totals writes how many rows have each verdict, by lap.
func (d summary) totals() {
	d.Line("\n| outcome | default settings | gates on | meaning |\n| --- | ---: | ---: | --- |")
	for _, e := range sweep.Effects() {
		if d.Totals.Default[e.String()]+d.Totals.Gates[e.String()] > 0 {
			d.Line("| %s %s | %d | %d | %s |", sign(e), label(e, ofDefinitions(d.Result)), d.Totals.Default[e.String()], d.Totals.Gates[e.String()], meaning(e))
		}
	}
	if old := d.Totals.PreExisting; old[term.DefaultLap]+old[term.GatesLap] > 0 {
		d.Line("| %s %s | %d | %d | %s |", preExistingSign, preExisting, old[term.DefaultLap], old[term.GatesLap], preExistingWords)
	}
}

// changes writes what differs from the baseline.
func (d summary) changes() {
	if d.Baseline == nil {
		return
	}
	d.Line("\n#### Compared with %s: %s\n", prose(d.Baseline.File), term.Numbered(len(d.Baseline.Changes), "change"))
	changes := d.Baseline.Changes
	if len(changes) == 0 {
		return
	}
	d.Line("| change | difference | before | now |\n| --- | --- | --- | --- |")
	d.List(roomChanges, len(changes), func(i int) string {
		c := changes[i]
		return fmt.Sprintf("| %s | %s | %s | %s |", c.Change, cell(c.What), effectCell(c.Before), effectCell(c.After))
	}, "| and %d more, in "+Page+" | | | |")
}

func effectCell(f term.Effect) string {
	if f.Outcome == "" {
		return ""
	}
	return sign(f) + " " + label(f, false)
}

// isHarmed reports whether something happened to a row with the new release: it was not kept, and that was not so
// before.
func isHarmed(row sweep.Row) bool {
	return row.Effect.WorseThan(term.Kept.Effect()) && !row.PreExisting
}

// rows writes a table of the changes that were not kept, and one of those that were there before.
func (d summary) rows(o Options) {
	all := d.Groups(o.FailOn)
	d.table(roomRows, "Worst first: %s that were not kept in every cell", without(all, func(g sweep.Group) bool { return !isHarmed(g.Rows[0]) }))
	d.table(roomPreExisting, "Pre-existing: %s of what the old release alone does too, before the upgrade", without(all, func(g sweep.Group) bool { return !g.Rows[0].PreExisting }))
}

// table writes changes, the first row of each.
func (d summary) table(room int, title string, groups []sweep.Group) {
	if len(groups) == 0 {
		return
	}
	d.Line("\n#### "+title+"\n", term.Numbered(rowsIn(groups), "row"))
	d.Line("| verdict | difference | reachable | gates | ruling | by which writes, and why |\n| --- | --- | --- | --- | --- | --- |")
	d.List(room, len(groups), func(i int) string { return d.row(groups[i]) }, "| and %d more, in "+Page+" | | | | | |")
}

func (d summary) row(g sweep.Group) string {
	r := g.Rows[0]
	more := ""
	if others := also(g); others != "" {
		more = ", " + cell(others) // the comma keeps the code spans apart
	}
	verdict := sign(r.Effect) + " " + label(r.Effect, ofDefinitions(d.Result))
	if count := cellCount(r.LapResult); count != "" {
		verdict += " in " + count
	}
	by := strings.Join(writesOf(r.LapResult), "; ")
	if because := why(r.LapResult); because != "" {
		by += " (" + because + ")"
	}
	return fmt.Sprintf("| %s | %s: %s%s | %s | %s | %s | %s |", verdict, r.Difference.Difference, cell(place(r.Difference)), more, reachable(r),
		cell(gates(r.Difference)), cell(strings.TrimSpace(ruling(r.LapResult)+" "+r.Known)), cell(strings.TrimSpace(by)))
}

// reachable says where a row can be reached.
func reachable(r sweep.Row) string {
	if r.Reachable {
		return "by default"
	}
	return "with gates on"
}

// notExercised lists the rows that no object reached, with the reasons.
func (d summary) notExercised() {
	var lines []string
	for _, reason := range d.Totals.Reasons {
		if reason.Rows > 1 {
			lines = append(lines, fmt.Sprintf("%s: %s", term.Numbered(reason.Rows, "row"), view.FirstOf(reason.Reason, "no reason was given")))
		}
	}
	for _, row := range d.Rows {
		if row.Outcome == term.NotExercised || row.Outcome == term.Indeterminate {
			lines = append(lines, fmt.Sprintf("%s: %s", place(row.Difference), view.FirstOf(row.Reason, "no reason was given")))
		}
	}
	d.folded("Not exercised", roomNotExercised, lines)
}

// folded writes a list that opens on a click.
func (d summary) folded(title string, room int, lines []string) {
	if len(lines) == 0 {
		return
	}
	d.Line("\n<details><summary>%s: %d</summary>\n", title, len(lines))
	d.List(room, len(lines), func(i int) string { return "- " + prose(lines[i]) }, "- and %d more, in "+Page)
	d.Line("\n</details>")
}

// skippedReasons returns the reasons of a lap's skipped objects, each as one line.
func skippedReasons(l sweep.LapSummary) (lines []string) {
	for _, object := range slices.Sorted(maps.Keys(l.Skipped)) {
		lines = append(lines, object+": "+l.Skipped[object])
	}
	return lines
}
