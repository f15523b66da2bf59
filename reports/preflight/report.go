package preflight

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight"
)

// What a terminal shows of each list: the rest is counted, and on the page.
const (
	maxThresholds = 10
	maxCauses     = 15
	maxOwners     = 3
	maxKinds      = 20
	maxLines      = 5
)

// The rooms of the sections of preflight.md in bytes: together less than a comment on a pull request
// holds. Those of hops are shared by all hops.
const (
	roomAnswers    = 8_000
	roomThresholds = 5_000
	roomKinds      = 7_000
	roomCauses     = 15_000
	roomBaseline   = 5_000
	roomPhases     = 2_000
	roomDefaulted  = 1_500
	roomPart       = 2_500
	maxHops        = 8   // that have details of their own in Markdown
	maxText        = 200 // characters of one text in a table
	maxAnswer      = 600 // characters of an answer, which a reader sees first
)

// documentOf fills the document of a preflight: the answers first, then for each hop the point of no
// return, kinds by outcome and causes, and what was not covered.
func documentOf(r preflight.Result, o Options) document.Document {
	d := document.Document{Title: "skewsim preflight: " + title(r), Ended: r.Ended, Command: r.Command, Page: Page, MaxText: maxText}
	if o.Dir != "" {
		d.Places = []string{"page: " + filepath.Join(o.Dir, Page)}
	}
	if len(r.Hops) == 0 {
		d.Lead = document.Paragraphs("Nothing was played.")
	}
	d.Add(allAnswers(r.Hops))
	for _, text := range remarks(r) {
		d.Add(document.Section{Only: document.InMarkdown, Text: document.Prose(text)})
	}
	for i, h := range r.Hops {
		for _, s := range hopSections(h, max(1, min(len(r.Hops), maxHops))) {
			if i >= maxHops && s.Only == document.InMarkdown {
				continue
			}
			if i >= maxHops {
				s.Only = document.OnTerminal
			}
			d.Sections = append(d.Sections, s)
		}
	}
	if more := len(r.Hops) - maxHops; more > 0 {
		d.Add(document.Section{Only: document.InMarkdown, Text: document.Prose(fmt.Sprintf("Details of %s are in %s.", term.Counted(more, "more hop", "more hops"), Page))})
	}
	for _, text := range remarks(r) {
		d.Add(document.Section{Only: document.OnTerminal, Text: document.Prose(text)})
	}
	d.Add(document.Section{Title: "source", Text: document.Prose(source(r.Source) + judged(r))})
	for _, p := range notCovered(r.Source) {
		d.Add(document.Section{Title: fmt.Sprintf("%s: %d", p.Title, len(p.Lines)), Folded: true, Room: roomPart, Lines: maxLines, Rows: document.List(p.Lines)})
	}
	return d
}

// gradeMark is a grade as readers see it.
func gradeMark(g preflight.Grade) document.Mark {
	severity := document.Warning
	switch g {
	case preflight.Ready:
		severity = document.Good
	case preflight.Blocked:
		severity = document.Bad
	}
	return document.Mark{Sign: gradeSign(g), Word: gradeWord(g), Severity: severity}
}

// outcomeMark is an outcome as readers see it.
func outcomeMark(word term.Outcome) document.Mark {
	shown := outcomeOf(word)
	m := document.Mark{Sign: shown.Sign, Word: shown.Label, Severity: document.Warning}
	if preflight.GradeOf(word) == preflight.Blocked {
		m.Severity = document.Bad
	}
	return m
}

// allAnswers has a row for each direction of each hop. A terminal has them where the hops are.
func allAnswers(hops []preflight.Hop) document.Section {
	s := document.Section{Only: document.InMarkdown, Room: roomAnswers, MaxText: maxAnswer, Columns: []document.Column{{Head: "hop"}, {Head: "grade"}, {Head: "answer"}}}
	for _, h := range hops {
		for _, a := range answers(h) {
			row := document.Cells(pair(h))
			row.Cells = append(row.Cells, document.Marked(gradeMark(a.Grade)))
			s.Rows = append(s.Rows, row.With(a.Sentence))
		}
	}
	return s
}

// hopSections say what happens on one hop, in as many bytes as its share of the rooms.
func hopSections(h preflight.Hop, hops int) []document.Section {
	told := document.Section{Only: document.OnTerminal, Whole: true}
	for _, a := range answers(h) {
		told.Rows = append(told.Rows, document.Row{Cells: []document.Cell{{Mark: gradeMark(a.Grade), Text: document.Prose(a.Sentence)}}})
	}
	told.Title = pair(h)
	heading := document.Section{Title: pair(h), Only: document.InMarkdown}
	var inner document.Document
	for _, part := range returning(h) {
		inner.Add(document.Section{Text: document.Prose(part.Text), Noun: "write", Room: roomThresholds / hops / 2, Lines: part.shown(), Rows: document.List(part.Writes)})
	}
	inner.Add(kindsSection(h, roomKinds/hops))
	g := group(h)
	inner.Add(causesSection("findings by cause", roomCauses/hops, h, g.Causes, g.Ephemeral),
		causesSection(strings.ToLower(baselineTitle(h)[:1])+baselineTitle(h)[1:], roomBaseline/hops, h, g.Baseline, g.Early))
	if len(h.Written) > 0 {
		inner.Add(document.Section{Text: document.Prose(writtenTitle + ": " + counts(h.Written))})
	}
	var deleted, filled []string
	for _, o := range h.Deleted {
		deleted = append(deleted, deletedLine(h, o))
	}
	for _, f := range h.Defaulted {
		filled = append(filled, defaultedLine(f))
	}
	phases := document.Section{Title: "what was played", Folded: true, Room: roomPhases / hops, Aligned: true, Columns: []document.Column{{Head: "took", Right: true}, {Head: "phase"}}}
	for _, p := range h.Phases {
		phases.Rows = append(phases.Rows, document.Cells(view.Seconds(p.Seconds), took(h, p)))
	}
	phases.After = document.Prose(sharedLine(h))
	inner.Add(document.Section{Title: strings.ToLower(deletedTitle) + ": " + term.Numbered(len(deleted), "object"), Folded: true, Lines: maxLines, Room: roomDefaulted / hops, Rows: document.List(deleted)},
		document.Section{Title: strings.ToLower(defaultedTitle) + ": " + term.Numbered(len(filled), "field") + ", which is no finding", Folded: true, Lines: maxLines, Room: roomDefaulted / hops, Rows: document.List(filled)},
		phases)
	for i := range inner.Sections {
		inner.Sections[i].Inner = true
	}
	return append([]document.Section{told, heading}, inner.Sections...)
}

// shown is the number of writes that a terminal shows.
func (b beyond) shown() int {
	shown := len(b.Writes)
	if shown > maxThresholds {
		shown = maxThresholds - 1
	}
	if b.First > 0 && b.First+1 < len(b.Writes) {
		shown = min(shown, b.First)
	}
	return shown
}

// kindsSection has the kinds with findings, by outcome.
func kindsSection(h preflight.Hop, room int) document.Section {
	found, others, objects := harmed(h.Kinds)
	s := document.Section{Room: room, Lines: maxKinds, Noun: "kind", Aligned: true, Columns: []document.Column{
		{Head: "objects", Right: true}, {Head: "findings", Right: true}, {Head: "kind"}, {Head: "outcomes"},
	}}
	for _, k := range found {
		n := 0
		var by []string
		for _, o := range outcomes() {
			if count := k.Outcomes[o.Word]; count > 0 {
				n, by = n+count, append(by, fmt.Sprintf("%s %d", o.Label, count))
			}
		}
		s.Rows = append(s.Rows, document.Cells(fmt.Sprint(k.Objects), fmt.Sprint(n), object(k.Group, k.Kind), strings.Join(by, ", ")))
	}
	if others > 0 {
		s.After = document.Prose(othersLine(others, objects))
	}
	return s
}

// causesSection has the causes of findings, and a line on those of objects that expire.
func causesSection(heading string, room int, h preflight.Hop, causes []Cause, passing string) document.Section {
	if len(causes) > 0 {
		heading += ": " + term.Numbered(len(causes), "cause")
	}
	s := document.Section{
		Title: heading, Room: room, Lines: maxCauses, Noun: "cause", After: document.Prose(passing),
		Columns: []document.Column{{Head: "outcome"}, {Head: "objects, direction and place"}, {Head: "what the server says"}, {Head: "whose"}, {Head: "fix"}},
	}
	for _, c := range causes {
		about := where(h, c) + ": " + place(c)
		if n := c.count(); n != "" {
			about = n + ", " + about
		}
		row := document.Row{Cells: []document.Cell{document.Marked(outcomeMark(c.Outcome))}}
		s.Rows = append(s.Rows, row.With(about, c.Message, c.owners(maxOwners), c.remedy()))
	}
	return s
}

// part is a list with its title.
type part struct {
	Title string
	Lines []string
}

// notCovered are the lists of what the preflight does not cover, and of the flags that it takes over.
func notCovered(s preflight.Source) []part {
	return []part{
		{"the source cannot show", s.CannotSee}, {"skipped", s.InOrder()}, {"removed from the copy", s.Removed}, {"converted by a program", s.Converted},
		{"flags not taken over", s.FlagsLeft}, {"flags taken over", s.FlagsTaken},
	}
}

// suitesOf fills the suites of a preflight: each hop is one, with a case for each direction, and one for
// each kind and outcome. What is blocked fails, unless it is accepted or an earlier preflight has it too;
// what was not played is an error or skipped, and never passes.
func suitesOf(r preflight.Result) (suites []document.Suite) {
	for _, h := range r.Hops {
		suites = append(suites, hopSuite(r, h))
	}
	if r.Ended != "" || len(r.Hops) == 0 {
		reason := cmp.Or(r.Ended, "nothing was played")
		suites = append(suites, document.Suite{Name: "preflight", Page: Page, Cases: []document.Case{{
			Name: "the whole preflight was played", Class: []string{"preflight"}, Outcome: document.Errored, Kind: string(preflight.Unknown), Message: reason, Text: document.LinesOf(reason),
		}}})
	}
	return suites
}

func hopSuite(r preflight.Result, h preflight.Hop) document.Suite {
	suite := document.Suite{Name: "preflight " + pair(h), Page: Page, Output: []string{"page: " + Page}}
	for _, p := range h.Phases {
		suite.Seconds += p.Seconds
	}
	suite.Add("source", source(r.Source)+judged(r))
	suite.Add("repeat", r.Command)
	if g := group(h); len(g.Baseline) > 0 {
		suite.Add("broken already", term.Counted(len(g.Baseline), "cause", "causes"))
	}
	for _, p := range notCovered(r.Source) {
		suite.Add(p.Title, strings.Join(p.Lines, "; "))
	}
	for _, a := range answers(h) {
		suite.Cases = append(suite.Cases, directionCase(h, a))
	}
	for _, p := range []part{{"what was not read", r.Source.NotRead}, {"what the source cannot show", r.Source.CannotSee}} {
		if len(p.Lines) > 0 { // it is not decided, and never passes
			suite.Cases = append(suite.Cases, document.Case{
				Name: p.Title, Class: []string{"preflight", "source"}, Outcome: document.Skipped, Message: strings.Join(p.Lines, "; "), Text: document.LinesOf(p.Lines...),
			})
		}
	}
	suite.Cases = append(suite.Cases, kindCases(h)...)
	return suite
}

// directionCase is the case of one direction.
func directionCase(h preflight.Hop, a answer) document.Case {
	c := document.Case{Name: directionWord(h, a.Direction), Class: []string{"preflight", "direction"}, Kind: gradeWord(a.Grade), Message: a.Sentence, Text: document.LinesOf(a.Sentence)}
	switch {
	case slices.ContainsFunc(h.Findings, func(f preflight.Finding) bool { return f.Direction == a.Direction && f.Fails() }):
		c.Outcome = document.Failed
	case !h.Played(a.Direction):
		c.Outcome = document.Errored
	case a.Grade == preflight.Unknown || a.Grade == "":
		c.Outcome = document.Skipped
	}
	return c
}

// kindCases are a case for each kind and outcome that it has, and one for each kind without a
// finding. Two names that differ only in characters that act have one case each, as they are.
func kindCases(h preflight.Hop) (cases []document.Case) {
	whole := true
	for _, a := range answers(h) {
		whole = whole && h.Played(a.Direction)
	}
	type subject struct {
		group, kind string
		outcome     term.Outcome
	}
	found := map[subject][]preflight.Finding{}
	kinds := map[[2]string]bool{}
	for _, f := range h.Findings {
		g := subject{f.Group, f.Kind, f.Outcome}
		found[g] = append(found[g], f)
		kinds[[2]string{f.Group, f.Kind}] = true
	}
	for _, g := range slices.SortedFunc(maps.Keys(found), func(a, b subject) int {
		return strings.Compare(strings.Join([]string{a.group, a.kind, string(a.outcome)}, "\x00"), strings.Join([]string{b.group, b.kind, string(b.outcome)}, "\x00"))
	}) {
		cases = append(cases, outcomeCase(object(g.group, g.kind), g.outcome, found[g], h))
	}
	unreadOf := h.Unread()
	for _, k := range h.Kinds {
		if kinds[[2]string{k.Group, k.Kind}] {
			continue
		}
		c := document.Case{Name: "no finding", Class: []string{"preflight", object(k.Group, k.Kind)}}
		switch unread := unreadOf[[2]string{k.Group, k.Kind}]; {
		case !whole:
			c.Outcome, c.Message = document.Skipped, "not played to its end"
		case unread > 0:
			c.Outcome, c.Message = document.Skipped, fmt.Sprintf("%d of %d objects cannot be read already", unread, k.Objects)
		}
		cases = append(cases, c)
	}
	return cases
}

// outcomeCase is the case of the objects of a kind with an outcome.
func outcomeCase(kind string, word term.Outcome, all []preflight.Finding, h preflight.Hop) document.Case {
	shown := outcomeOf(word)
	c := document.Case{Name: shown.Label, Class: []string{"preflight", kind}, Kind: string(word), Message: kind + ": " + cmp.Or(shown.Meaning, shown.Label)}
	g := group(preflight.Hop{Findings: all})
	for _, cause := range g.Causes {
		c.Text = append(c.Text, document.Line{Text: strings.Join([]string{where(h, cause), place(cause), cause.count(), cause.owners(maxOwners), cause.Message, cause.remedy()}, " · ")})
	}
	if g.Ephemeral != "" {
		c.Text = append(c.Text, document.Line{Text: g.Ephemeral})
	}
	switch {
	case slices.ContainsFunc(all, preflight.Finding.Fails):
		c.Outcome = document.Failed
	case preflight.GradeOf(word) == preflight.Unknown:
		c.Outcome = document.Skipped
	}
	return c
}
