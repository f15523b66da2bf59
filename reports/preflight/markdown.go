package preflight

import (
	"fmt"
	"io"
	"strings"

	"github.com/skewsim/skewsim/reports/markdown"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight"
)

// The limits of preflight.md in bytes: together less than a comment on a pull request holds. Those
// of hops are shared by all hops.
const (
	roomThresholds = 5_000
	roomKinds      = 7_000
	roomCauses     = 15_000
	roomBaseline   = 5_000
	roomPhases     = 2_000
	roomDefaulted  = 1_500
	roomPart       = 2_500
	// maxHops have details of their own. The answers of others are in the first table.
	maxHops, maxAnswers = 8, 20
	// maxWords are the characters of one text in a table.
	maxWords = 200
)

// Markdown writes preflight.md for the summary of a CI job or a comment on a pull request: the
// answers first, then for each hop the point of no return, kinds by outcome and causes. Every list
// is limited, and says how many items it leaves out.
func Markdown(w io.Writer, r preflight.Result, _ Options) error {
	d := summary{&markdown.Document{}, max(1, min(len(r.Hops), maxHops))}
	d.Line("### skewsim preflight: %s\n", prose(title(r)))
	if r.Ended != "" {
		d.Line("**This preflight ended early: %s**\n", prose(r.Ended))
	}
	d.answers(r.Hops)
	for _, text := range remarks(r) {
		d.Line("\n%s", prose(text))
	}
	for i, h := range r.Hops {
		if i == maxHops {
			d.Line("\nDetails of %s are in %s.", term.Counted(len(r.Hops)-i, "more hop", "more hops"), Page)
			break
		}
		d.hop(h)
	}
	d.Line("\n#### Source\n\n%s", prose(source(r.Source)+judged(r)))
	for _, p := range notCovered(r.Source) {
		d.folded(view.Capitalized(p.Title), roomPart, p.Lines)
	}
	return written(w, "preflight.md", d.Bytes())
}

func prose(text string) string { return markdown.Prose(brief(text, maxWords)) }

func cell(text string) string { return markdown.Cell(brief(text, maxWords)) }

// summary is preflight.md that is being written.
type summary struct {
	*markdown.Document
	hops int // that share a room
}

// answers writes a row for each direction of each hop.
func (d summary) answers(hops []preflight.Hop) {
	if len(hops) == 0 {
		d.Line("Nothing was played.")
		return
	}
	d.Line("| hop | grade | answer |\n| --- | --- | --- |")
	for i, h := range hops {
		if i == maxAnswers {
			d.Line("| and %d more, in %s | | |", len(hops)-i, Page)
			return
		}
		for _, a := range answers(h) {
			d.Line("| %s | %s %s | %s |", markdown.Cell(brief(pair(h), 60)), gradeSign(a.Grade), gradeWord(a.Grade), markdown.Cell(brief(a.Sentence, 400)))
		}
	}
}

func (d summary) hop(h preflight.Hop) {
	d.Line("\n#### %s", prose(pair(h)))
	for _, part := range returning(h) {
		d.Line("\n%s", markdown.Prose(brief(part.Text, 600)))
		if n := len(part.Writes); n > 0 {
			d.Line("")
			d.List(roomThresholds/d.hops/2, n, func(i int) string { return "- " + prose(part.Writes[i]) }, "- and %d more writes, in "+Page)
		}
	}
	d.kinds(h)
	g := group(h)
	d.causes("Findings by cause", roomCauses, h, g.Causes, g.Ephemeral)
	d.causes(prose(baselineTitle(h)), roomBaseline, h, g.Baseline, g.Early)
	if len(h.Written) > 0 {
		d.Line("\n%s: %s", writtenTitle, prose(counts(h.Written)))
	}
	var deleted []string
	for _, o := range h.Deleted {
		deleted = append(deleted, deletedLine(h, o))
	}
	d.folded(deletedTitle, roomDefaulted/d.hops, deleted)
	var filled []string
	for _, f := range h.Defaulted {
		filled = append(filled, defaultedLine(f))
	}
	d.folded(defaultedTitle, roomDefaulted/d.hops, filled)
	var phases []string
	for _, p := range h.Phases {
		phases = append(phases, view.Seconds(p.Seconds)+": "+took(h, p))
	}
	if text := sharedLine(h); text != "" {
		phases = append(phases, text)
	}
	d.folded("What was played", roomPhases/d.hops, phases)
}

// kinds writes how many objects of each kind have each outcome.
func (d summary) kinds(h preflight.Hop) {
	found, others, objects := harmed(h.Kinds)
	if len(found) > 0 {
		columns := outcomesOf(found)
		head, rule := "| kind | objects |", "| --- | ---: |"
		for _, c := range columns {
			head, rule = head+" "+c.Sign+" "+c.Label+" |", rule+" ---: |"
		}
		d.Line("\n%s\n%s", head, rule)
		d.List(roomKinds/d.hops, len(found), func(i int) string {
			k := found[i]
			row := fmt.Sprintf("| %s | %d |", cell(object(k.Group, k.Kind)), k.Objects)
			for _, c := range columns {
				row += fmt.Sprintf(" %d |", k.Outcomes[c.Word])
			}
			return row
		}, "| and %d more, in "+Page+strings.Repeat(" |", len(columns)+2))
	}
	if others > 0 {
		d.Line("\n%s", othersLine(others, objects))
	}
}

// causes writes a table of causes.
func (d summary) causes(heading string, room int, h preflight.Hop, causes []Cause, passing string) {
	if len(causes) > 0 {
		d.Line("\n**%s: %d**\n", heading, len(causes))
		d.Line("| outcome | direction | where | objects | what the server says | fix |\n| --- | --- | --- | --- | --- | --- |")
		d.List(room/d.hops, len(causes), func(i int) string { return causeRow(h, causes[i]) }, "| and %d more, in "+Page+" | | | | | |")
	}
	if passing != "" {
		d.Line("\n%s: %s", heading, prose(passing))
	}
}

func causeRow(h preflight.Hop, c Cause) string {
	shown := outcomeOf(c.Outcome)
	objects := c.count()
	if owners := c.owners(maxOwners); owners != "" {
		objects += ": " + owners
	}
	return fmt.Sprintf("| %s %s | %s | %s | %s | %s | %s |", shown.Sign, cell(shown.Label), cell(where(h, c)), cell(place(c)), cell(objects), cell(c.Message), cell(c.remedy()))
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
