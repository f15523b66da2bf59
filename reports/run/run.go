package run

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// The rooms of the sections of report.md in bytes. A comment on a pull request holds 65536 characters;
// together they stay below that, whatever a run holds.
const (
	roomUnexpected = 18_000
	roomAdvice     = 5_000
	roomMissing    = 5_000
	roomExpired    = 3_000
	roomExpected   = 8_000
	roomElsewhere  = 2_000
	roomChecks     = 8_000
	roomNotes      = 3_000
	roomSkipped    = 2_000
	roomBuilds     = 2_000
	maxText        = 600 // characters of one text
)

// maxAlike is how many findings of a kind a terminal shows: the others say the same about other copies.
const maxAlike = 3

// TextOptions are the options of a summary on a terminal.
type TextOptions struct {
	document.TerminalOptions
	// ReportPath is the path of the report that the summary names; "" for none.
	ReportPath string
}

// Text writes the summary of a run on a terminal, the verdict last.
func Text(w io.Writer, r view.Run, o TextOptions) error {
	d := documentOf(r)
	if o.ReportPath != "" {
		d.Places = []string{"report: " + o.ReportPath, "do not publish history.jsonl* in the same directory: it contains complete objects"}
	}
	return document.Terminal(w, d, o.TerminalOptions)
}

// Markdown writes report.md, for a comment on a pull request or the summary of a CI job.
func Markdown(w io.Writer, r view.Run) error { return document.Markdown(w, "report.md", documentOf(r)) }

// verdictMark is a verdict as readers see it.
func verdictMark(v term.VerdictWord) document.Mark {
	severity := document.Warning
	switch v {
	case term.Pass:
		severity = document.Good
	case term.Fail:
		severity = document.Bad
	}
	return document.Mark{Sign: view.Sign(v), Word: string(v), Severity: severity}
}

// documentOf fills the document of a run: the findings, worst first, and the expectations that were not
// met; then what was expected, the checks, and what a reader must know.
func documentOf(r view.Run) document.Document {
	r = view.Sealed(r)
	res := r.Result
	d := document.Document{
		Verdict: verdictMark(res.Verdict), Title: fmt.Sprintf("%s, %s, seed %d", res.FullName(), res.Pair(), res.Seed),
		Command: view.RepeatCommand(r), Page: view.ReportFile, MaxText: maxText,
	}
	if res.Answer != "" {
		d.Lead = document.Paragraphs(view.AsSentence(res.Answer))
	}
	if servers := view.DefinitionServers(res); len(servers) > 0 {
		d.Lead = append(d.Lead, document.Cell{Text: document.Prose("served by ").Code(strings.Join(servers, " and "))})
	}
	d.Lead = append(d.Lead, document.Paragraphs(cmp.Or(res.Reason, "no reason was given"), view.Journey(res.Journey))...)
	d.Add(document.Section{Title: "about " + res.Scenario, Text: document.Prose(oneLine(res.About))}, mutant(res))
	if len(res.Findings) == 0 {
		d.Sections = append(d.Sections, document.Section{Title: "no findings"})
	}
	d.Add(unexpected(res)...)
	d.Add(expired(res.Expired), missing(res.Missing), expected(r), elsewhere(res.Elsewhere), groups(res.Findings), checks(res),
		document.Section{Title: fmt.Sprintf("notes: %d", len(res.Notes)), Room: roomNotes, Rows: document.List(res.Notes)},
		skipped(res.Skipped), builds(res))
	for i := range d.Sections {
		d.Sections[i].Whole = !d.Sections[i].Aligned
	}
	return d
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// mutant says which release was wrong on purpose, and whether that was found.
func mutant(res result.Result) document.Section {
	m := res.Mutant
	if m == nil {
		return document.Section{}
	}
	mark := document.Mark{Word: "not caught", Severity: document.Bad}
	if m.Caught {
		mark = document.Mark{Word: "caught", Severity: document.Good}
	}
	return document.Section{
		Title: "mutant " + m.Name + ": " + view.WrongOnPurpose(res), Text: document.Prose(oneLine(m.About)),
		Rows: []document.Row{{Cells: []document.Cell{{Mark: mark, Text: document.Prose(m.Message)}}}},
	}
}

// findingRow is a finding with the address of its evidence.
func findingRow(f result.Finding) document.Row {
	row := document.Cells(f.Message)
	row.Address, row.Kind = view.EvidenceAddress(f, view.ReportFile), fmt.Sprint(view.KeyOf(f))
	return row
}

// unexpected are the findings that no expectation matches, and what the guide asks after a broken rule.
func unexpected(res result.Result) []document.Section {
	all := view.Unexpected(view.WorstFirst(res.Findings))
	found := document.Section{
		Title: fmt.Sprintf("unexpected findings: %d", len(all)), Room: roomUnexpected, Alike: maxAlike,
		Mark: document.Mark{Word: "UNEXPECTED", Severity: document.Bad},
	}
	for _, f := range all {
		found.Rows = append(found.Rows, findingRow(f))
	}
	advice := document.Section{Title: "what the guide asks", Only: document.InMarkdown, Inner: true, Room: roomAdvice}
	for _, rule := range view.RulesOf(all) {
		if text := term.AdviceOnRule(rule).String(); text != "" {
			advice.Rows = append(advice.Rows, document.Cells(string(rule), text))
		}
	}
	return []document.Section{found, advice}
}

// expired are the expectations whose time is over.
func expired(all []result.Expired) document.Section {
	s := document.Section{Title: fmt.Sprintf("expired expectations: %d", len(all)), Room: roomExpired, Mark: document.Mark{Word: "EXPIRED", Severity: document.Bad}}
	for _, e := range all {
		row := document.Cells(e.Message)
		row.Cells = append(row.Cells, document.Cell{Text: document.Code(view.ExpectationLine(e.Expectation))})
		s.Rows = append(s.Rows, row.With(view.Because(e.Expectation)))
	}
	return s
}

// missing are the expectations that were not met.
func missing(all []result.Missing) document.Section {
	s := document.Section{Title: fmt.Sprintf("expected, but not found: %d", len(all)), Room: roomMissing, Mark: document.Mark{Word: "MISSING", Severity: document.Bad}}
	for _, m := range all {
		row := document.Cells(m.Message)
		row.Cells = append(row.Cells, document.Cell{Text: document.Code(view.ExpectationLine(m.Expectation))})
		s.Rows = append(s.Rows, row)
	}
	return s
}

// expected are the expectations that were met, with the first findings of each.
func expected(r view.Run) document.Section {
	s := document.Section{Folded: true, Room: roomExpected, Alike: maxAlike, Noun: "line", Mark: document.Mark{Word: "expected", Severity: document.Faint}}
	total := 0
	for _, m := range view.Matches(r.Plan.Expect, r.Result.Findings) {
		total += len(m.Findings)
		line := document.Code(m.Line)
		if m.Line == "" {
			line = document.Prose("by the journey")
		}
		row := document.Row{Cells: []document.Cell{{Text: line.Prose(fmt.Sprintf(": %d", len(m.Findings)))}}}
		for _, f := range m.Findings {
			row.Rows = append(row.Rows, findingRow(f))
		}
		s.Rows = append(s.Rows, row)
	}
	s.Title = fmt.Sprintf("expected findings: %d", total)
	return s
}

// elsewhere are the expectations for other pairs.
func elsewhere(all []result.Elsewhere) document.Section {
	s := document.Section{Title: "not expected for this pair: " + term.Numbered(len(all), "line"), Folded: true, Room: roomElsewhere}
	for _, e := range all {
		row := document.Cells(fmt.Sprintf("line %d", e.Expectation.Line), e.Reason)
		row.Cells = append(row.Cells, document.Cell{Text: document.Code(view.ExpectationLine(e.Expectation))})
		s.Rows = append(s.Rows, row)
	}
	return s
}

// groups counts the findings of each kind. Its marks are equally wide in every run.
func groups(findings []result.Finding) document.Section {
	s := document.Section{Title: "summary", Only: document.OnTerminal}
	for _, g := range view.GroupFindings(findings) {
		mark := document.Mark{Word: "UNEXPECTED", Severity: document.Bad}
		if g.Expected {
			mark = document.Mark{Word: "expected  ", Severity: document.Faint}
		}
		s.Rows = append(s.Rows, document.Row{Cells: []document.Cell{{Mark: mark, Text: document.Prose(fmt.Sprintf("%4d x %s; first in step %d", g.Count, g, g.First))}}})
	}
	return s
}

// checks has each check's verdict, how much it judged, and its guarantee or the reason.
func checks(res result.Result) document.Section {
	s := document.Section{Title: "checks", Room: roomChecks, Aligned: true, Columns: []document.Column{
		{Head: "check"}, {Head: "verdict"}, {Head: "judged", Right: true}, {Head: "indeterminate", Right: true}, {Head: "findings", Right: true},
		{Head: "reason or guarantee", Only: document.InMarkdown}, {Head: "guarantee", Only: document.OnTerminal},
	}}
	for _, c := range res.Checks {
		row := document.Cells(string(c.Name))
		row.Cells = append(row.Cells, document.Marked(verdictMark(c.Verdict)))
		guarantee := view.Guarantee(c, res.Findings)
		row = row.With(fmt.Sprint(c.Judged), fmt.Sprint(c.Indeterminate), fmt.Sprint(c.Findings), cmp.Or(beside(c.Reason, view.AsExpected(c, res.Findings)), guarantee), guarantee)
		if c.Reason != "" {
			row.Whole = []document.Text{document.Prose(c.Reason)}
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

// beside joins a reason with more of it; "" without a reason.
func beside(reason, more string) string {
	if reason == "" || more == "" {
		return reason
	}
	return reason + "; " + more
}

// skipped counts the calls that were not executed, by reason.
func skipped(all []result.Skip) document.Section {
	s := document.Section{Title: fmt.Sprintf("skipped: %d", len(all)), Folded: true, Room: roomSkipped}
	for _, reason := range view.SkippedByReason(all) {
		s.Rows = append(s.Rows, document.Cells(fmt.Sprintf("%d × %s", reason.Count, reason.Text)))
	}
	return s
}

// builds are the builds that ran, and what the run consists of.
func builds(res result.Result) document.Section {
	s := document.Section{Title: "builds", Only: document.InMarkdown, Room: roomBuilds, Columns: []document.Column{{Head: "release"}, {Head: "build"}, {Head: "version"}, {Head: "digest"}}}
	for _, b := range res.Builds {
		row := document.Cells(string(b.Role))
		row.Cells = append(row.Cells, document.Cell{Text: document.Code(b.Reference)}, document.Cell{Text: document.Prose(b.Version)}, document.Cell{Text: document.Code(b.Digest)})
		s.Rows = append(s.Rows, row)
	}
	s.After = document.Prose(fmt.Sprintf("%d copies, %d steps, %d requests, %d changes of the store in %.1f s",
		res.Counts.Copies, res.Counts.Steps, res.Counts.Operations, res.Counts.Changes, res.Timing.Total))
	return s
}
