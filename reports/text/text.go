package text

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// expired writes the expectations that have expired.
func (s *summary) expired(expired []result.Expired) {
	if len(expired) == 0 {
		return
	}
	s.heading("expired expectations")
	for _, e := range expired {
		s.line("  %s  %s", s.paint(red, "EXPIRED"), view.Visible(e.Message))
		s.line("           %s", view.ExpectationLine(e.Expectation))
		if why := view.Because(e.Expectation); why != "" {
			s.line("           why: %s", why)
		}
	}
}

// elsewhere writes which expectations are for other pairs.
func (s *summary) elsewhere(others []result.Elsewhere) {
	if len(others) == 0 {
		return
	}
	s.heading(fmt.Sprintf("not expected for this pair: %s", term.Numbered(len(others), "line")))
	for _, e := range others {
		s.line("  line %d: %s", e.Expectation.Line, view.Visible(e.Reason))
		s.line("           %s", view.ExpectationLine(e.Expectation))
	}
}

// Options are the options of the summary on a terminal.
type Options struct {
	// Width is the terminal's. Below 72 the guarantees of the checks, which would wrap, are
	// left out; 0 means unknown and leaves them in.
	Width int
	// Color uses ANSI colours. Words say everything without them.
	Color bool
	// ReportPath is the path of report.html; "" leaves the line out.
	ReportPath string
}

// narrow is the width below which a check and its guarantee cannot share a line.
const narrow = 72

// The colours of a terminal: SGR parameters.
const (
	red    = "31;1"
	green  = "32;1"
	yellow = "33;1"
	faint  = "2"
)

// summary is a text that is being written. Writing to a buffer cannot fail.
type summary struct {
	bytes.Buffer
	opts Options
}

// Write writes the summary of a run on the terminal: the findings, then their kinds,
// the checks, what is missing or was skipped, and the verdict last, where the reader looks
// first. Of many similar findings it writes a few; the reports have them all.
func Write(w io.Writer, r view.Run, opts Options) error {
	r = view.Sealed(r)
	s := &summary{opts: opts}
	s.findings(r.Result.Findings)
	s.groups(r.Result.Findings)
	s.checks(r.Result.Checks, r.Result.Findings)
	s.missing(r.Result.Missing)
	s.expired(r.Result.Expired)
	s.elsewhere(r.Result.Elsewhere)
	s.skipped(r.Result.Skipped)
	s.notes(r.Result.Notes)
	s.about(r.Result)
	s.mutant(r.Result)
	s.verdict(r.Result)
	if _, err := w.Write(s.Bytes()); err != nil {
		return fmt.Errorf("summary: write: %w", err)
	}
	return nil
}

// line writes one line.
func (s *summary) line(format string, args ...any) {
	fmt.Fprintln(s, term.WithoutCommand(fmt.Sprintf(format, args...)))
}

// heading opens a section.
func (s *summary) heading(title string) {
	if s.Len() > 0 {
		s.line("")
	}
	s.line("%s", title)
}

// paint colours a text if colours are wanted.
func (s *summary) paint(color, text string) string {
	if !s.opts.Color {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// findings writes each finding's sentence, unexpected ones first.
func (s *summary) findings(findings []result.Finding) {
	if len(findings) == 0 {
		s.line("no findings")
		return
	}
	s.heading("findings")
	s.sentences(view.Unexpected(findings), s.paint(red, "UNEXPECTED"))
	s.sentences(view.Expected(findings), s.paint(faint, "expected  "))
}

// toldWhole is how many findings of a group the terminal shows in full: the others say the
// same about other copies.
const toldWhole = 3

// sentences writes the first findings of each group.
func (s *summary) sentences(findings []result.Finding, mark string) {
	seen, left := map[view.GroupKey]int{}, 0
	for _, f := range findings {
		if seen[view.KeyOf(f)]++; seen[view.KeyOf(f)] > toldWhole {
			left++
			continue
		}
		s.line("  %s  %s", mark, view.Visible(f.Message))
	}
	if left > 0 {
		s.line("  %s  and %d more of the same kinds: see the report", mark, left)
	}
}

// groups writes a line for each kind of finding.
func (s *summary) groups(findings []result.Finding) {
	if len(findings) == 0 {
		return
	}
	s.heading("summary")
	for _, g := range view.GroupFindings(findings) {
		mark := s.paint(red, "UNEXPECTED")
		if g.Expected {
			mark = s.paint(faint, "expected  ")
		}
		s.line("  %s  %4d x %s; first in step %d", mark, g.Count, g, g.First)
	}
}

// checks writes each check's verdict.
func (s *summary) checks(checks []result.Check, findings []result.Finding) {
	if len(checks) == 0 {
		return
	}
	s.heading("checks")
	width := 0
	for _, c := range checks {
		width = max(width, len(c.Name))
	}
	for _, c := range checks {
		if c.Verdict == term.NotApplicable {
			s.line("  %s  %s: %s", s.paint(verdictColor(c.Verdict), string(c.Verdict)), c.Name, c.Reason)
			continue
		}
		verdict := s.paint(verdictColor(c.Verdict), fmt.Sprintf("%-7s", c.Verdict))
		s.line("  %s  %-*s  judged %d%s%s", verdict, width, c.Name, c.Judged, s.indeterminate(c), s.guarantee(c, findings))
	}
}

// indeterminate says how many facts a check could not decide.
func (s *summary) indeterminate(c result.Check) string {
	if c.Indeterminate == 0 {
		return ""
	}
	return fmt.Sprintf(", indeterminate %d", c.Indeterminate)
}

// guarantee writes a check's guarantee, with what was found in spite of it, and the reason for
// its verdict.
func (s *summary) guarantee(c result.Check, findings []result.Finding) string {
	text := view.AsExpected(c, findings)
	if s.opts.Width == 0 || s.opts.Width >= narrow {
		text = view.Visible(view.Guarantee(c, findings))
	}
	if text != "" {
		text = ": " + text
	}
	if c.Reason != "" {
		text += " (" + view.Visible(c.Reason) + ")"
	}
	return text
}

// missing writes the expectations that were not met.
func (s *summary) missing(missing []result.Missing) {
	if len(missing) == 0 {
		return
	}
	s.heading("expected, but not found")
	for _, m := range missing {
		s.line("  %s  %s", s.paint(red, "MISSING"), view.Visible(m.Message))
		s.line("           %s", view.ExpectationLine(m.Expectation))
	}
}

// skipped counts the calls that were not executed.
func (s *summary) skipped(skipped []result.Skip) {
	if len(skipped) == 0 {
		return
	}
	s.heading(fmt.Sprintf("skipped: %d", len(skipped)))
	for _, r := range view.SkippedByReason(skipped) {
		s.line("  %4d x %s", r.Count, view.Visible(r.Text))
	}
}

// notes writes what a reader must know to understand the rest.
func (s *summary) notes(notes []string) {
	if len(notes) == 0 {
		return
	}
	s.heading("notes")
	for _, note := range notes {
		s.line("  %s", view.Visible(note))
	}
}

// about explains what the findings are about.
func (s *summary) about(res result.Result) {
	if text := strings.Fields(res.About); len(text) > 0 {
		s.heading("about " + view.Visible(res.Scenario))
		s.paragraph(view.Visible(strings.Join(text, " ")))
	}
}

// widest is the width of a paragraph if the terminal's width is not known, or is too large
// for comfortable reading.
const widest = 100

// paragraph writes indented lines of a readable width.
func (s *summary) paragraph(text string) {
	width := widest
	if s.opts.Width > 0 {
		width = min(width, max(s.opts.Width, narrow/2))
	}
	line := " "
	for _, word := range strings.Fields(text) {
		if len([]rune(line))+1+len([]rune(word)) > width && strings.TrimSpace(line) != "" {
			s.line("%s", line)
			line = " "
		}
		line += " " + word
	}
	s.line("%s", line)
}

// mutant writes which release was wrong on purpose, and whether that was found.
func (s *summary) mutant(res result.Result) {
	t := res.Mutant
	if t == nil {
		return
	}
	color := red
	if t.Caught {
		color = green
	}
	s.heading("mutant " + view.Visible(t.Name) + ": " + view.WrongOnPurpose(res))
	s.paragraph(view.Visible(t.About))
	s.line("  %s", s.paint(color, view.Visible(t.Message)))
}

// verdict writes the last lines.
func (s *summary) verdict(res result.Result) {
	s.heading(fmt.Sprintf("%s  %s, %s, seed %d", s.paint(verdictColor(res.Verdict), strings.ToUpper(string(res.Verdict))),
		view.Visible(res.FullName()), view.Visible(res.Pair()), res.Seed))
	if res.Answer != "" {
		s.line("  %s", view.Visible(view.AsSentence(res.Answer)))
	}
	if servers := view.DefinitionServers(res); len(servers) > 0 {
		s.line("  served by %s", view.Visible(strings.Join(servers, " and ")))
	}
	if res.Reason != "" {
		s.line("  %s", view.Visible(res.Reason))
	}
	if s.opts.ReportPath != "" {
		s.line("  report: %s", s.opts.ReportPath)
		s.line("  do not publish history.jsonl in the same directory: it contains complete objects")
	}
}

// verdictColor is the colour of a verdict.
func verdictColor(v term.VerdictWord) string {
	switch v {
	case term.Pass:
		return green
	case term.Fail:
		return red
	}
	return yellow
}
