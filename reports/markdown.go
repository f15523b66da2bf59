package reports

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/term"
)

// A comment on a pull request holds 65536 characters, so long lists are cut
// and say so; report.html has them whole.
const (
	mostUnexpected = 50
	mostExpected   = 10 // for each line of expect
)

// page is what Markdown writes to. Writing to a buffer cannot go wrong.
type page struct{ bytes.Buffer }

// Markdown writes report.md, for a comment on a pull request or the summary of
// a CI job.
func Markdown(w io.Writer, r Run) error {
	r = Sealed(r)
	p := &page{}
	p.top(r.Result)
	p.unexpected(unexpected(r.Result.Findings))
	p.missing(r.Result.Missing)
	p.expected(matches(r.Plan.Expect, r.Result.Findings))
	p.checks(r.Result.Checks)
	p.notes(r.Result.Notes)
	p.skipped(r.Result.Skipped)
	p.builds(r.Result)
	if _, err := w.Write(p.Bytes()); err != nil {
		return fmt.Errorf("report.md: write: %w", err)
	}
	return nil
}

// line writes one line.
func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// top writes the verdict and why.
func (p *page) top(res result.Result) {
	p.line("### %s %s: %s", sign(res.Verdict), res.Verdict, prose(res.FullName()))
	p.line("")
	p.line("%s", prose(firstOf(res.Reason, "no reason was given")))
	p.line("")
	p.line("%s · %s · seed %d", prose(pair(res)), prose(journey(res.Journey)), res.Seed)
	if about := strings.Join(strings.Fields(res.About), " "); about != "" {
		p.line("\n%s", prose(about))
	}
	if t := res.Twin; t != nil {
		p.line("\nThe new release is wrong on purpose (twin %s): %s", code(visible(t.Name)), prose(strings.Join(strings.Fields(t.About), " ")))
		p.line("\n%s", prose(t.Message))
	}
}

// unexpected lists the findings that no line of expect matches.
func (p *page) unexpected(findings []result.Finding) {
	if len(findings) == 0 {
		return
	}
	p.line("\n#### Unexpected findings: %d\n", len(findings))
	p.list(findings, mostUnexpected)
}

// list writes findings as a list, the first few of them.
func (p *page) list(findings []result.Finding, most int) {
	for i, f := range findings {
		if i == most {
			p.line("- and %d more, in report.html", len(findings)-most)
			return
		}
		p.line("- %s", prose(f.Message))
	}
}

// missing lists the expectations that were not met.
func (p *page) missing(missing []result.Missing) {
	if len(missing) == 0 {
		return
	}
	p.line("\n#### Expected, and not so: %d\n", len(missing))
	for _, m := range missing {
		p.line("- %s: %s", prose(m.Message), code(line(m.Expectation)))
	}
}

// expected lists the expected findings, folded away.
func (p *page) expected(matched []match) {
	if len(matched) == 0 {
		return
	}
	total := 0
	for _, m := range matched {
		total += len(m.Findings)
	}
	p.line("\n<details><summary>Expected findings: %d</summary>\n", total)
	for _, m := range matched {
		p.line("%s: %d\n", code(m.Line), len(m.Findings))
		p.list(m.Findings, mostExpected)
		p.line("")
	}
	p.line("</details>")
}

// checks writes the table of checks.
func (p *page) checks(checks []result.Check) {
	if len(checks) == 0 {
		return
	}
	p.line("\n| check | verdict | judged | untold | findings | guarantee |")
	p.line("| --- | --- | ---: | ---: | ---: | --- |")
	for _, c := range checks {
		p.line("| %s | %s %s | %d | %d | %d | %s |", c.Name, sign(c.Verdict), c.Verdict,
			c.Judged, c.Untold, c.Findings, cell(firstOf(c.Reason, c.Guarantee)))
	}
}

// notes lists what a reader must know to read the rest right.
func (p *page) notes(notes []string) {
	if len(notes) == 0 {
		return
	}
	p.line("")
	for _, note := range notes {
		p.line("- %s", prose(note))
	}
}

// skipped counts what was not played.
func (p *page) skipped(skipped []result.Skip) {
	if len(skipped) == 0 {
		return
	}
	p.line("\n<details><summary>Skipped: %d</summary>\n", len(skipped))
	for _, r := range skippedByReason(skipped) {
		p.line("- %d × %s", r.Count, prose(r.Text))
	}
	p.line("\n</details>")
}

// builds writes what was played, and in what time.
func (p *page) builds(res result.Result) {
	p.line("")
	for _, b := range res.Builds {
		p.line("- %s: %s, %s", b.Role, code(visible(b.Reference)), prose(b.Version))
	}
	p.line("\n%d copies, %d steps, %d operations, %d changes of the store in %.1f s",
		res.Counts.Copies, res.Counts.Steps, res.Counts.Operations, res.Counts.Changes, res.Timing.Total)
}

// journey writes the roll-outs in order.
func journey(legs []term.Rollout) string {
	words := make([]string, len(legs))
	for i, leg := range legs {
		words[i] = string(leg)
	}
	return strings.Join(words, " → ")
}

// sign is a verdict's shape.
func sign(v term.VerdictWord) string {
	switch v {
	case term.Pass:
		return "✓"
	case term.Fail:
		return "✗"
	}
	return "?"
}

// tame is a word that means nothing in Markdown, nor to a forge that turns
// @names, #numbers and addresses into links.
var tame = regexp.MustCompile(`^[(']?\p{L}[\p{L}\p{N}.,;:'()/-]*$|^\p{N}+(\.\p{N}+)*[,;:]?$|^(\.\.|→)$`)

// prose writes a sentence: words that could mean anything to Markdown become
// code, where nothing does.
func prose(sentence string) string {
	words := strings.Split(visible(sentence), " ")
	for i, word := range words {
		if word != "" && (!tame.MatchString(word) || strings.Contains(word, "://") || strings.HasPrefix(word, "www.")) {
			words[i] = code(word)
		}
	}
	return strings.Join(words, " ")
}

// cell is prose within a table, where a bar ends the cell even in code.
func cell(sentence string) string { return strings.ReplaceAll(prose(sentence), "|", `\|`) }

// code writes a code span, fenced by more backticks than the text has in a row.
func code(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}
