package markdown

import (
	"fmt"
	"io"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// expired lists the expectations that have expired.
func (p *Document) expired(expired []result.Expired) {
	if len(expired) == 0 {
		return
	}
	p.Line("\n#### Expired expectations: %d\n", len(expired))
	p.List(roomExpired, len(expired), func(i int) string {
		e := expired[i]
		text := fmt.Sprintf("- %s: %s", BriefProse(e.Message, briefSentence), BriefCode(view.ExpectationLine(e.Expectation), briefSentence))
		if why := view.Because(e.Expectation); why != "" {
			text += ": " + BriefProse(why, briefSentence)
		}
		return text
	}, andMore)
}

// elsewhere lists the expectations for other pairs, folded away.
func (p *Document) elsewhere(others []result.Elsewhere) {
	if len(others) == 0 {
		return
	}
	p.Line("\n<details><summary>Not expected for this pair: %d</summary>\n", len(others))
	p.List(roomElsewhere, len(others), func(i int) string {
		return fmt.Sprintf("- %s: %s", BriefCode(view.ExpectationLine(others[i].Expectation), briefSentence), BriefProse(others[i].Reason, briefSentence))
	}, andMore)
	p.Line("\n</details>")
}

// A comment on a pull request holds 65536 characters, so each part has a limit of its own,
// in bytes, and says how much it leaves out; report.html has everything. Together they stay
// below that, whatever a run holds.
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

	maxExpected = 10 // findings for each line of expect
)

// What one text has at most, in characters. As Markdown each may take four bytes.
const (
	briefName     = 120
	briefSentence = 600
	briefAbout    = 1000
)

// Write writes report.md, for a comment on a pull request or the summary of a CI job.
// Addresses of evidence are not links, since there is no report beside a comment: they are
// to be opened where report.html is.
func Write(w io.Writer, r view.Run) error {
	r = view.Sealed(r)
	p := &Document{}
	p.top(r.Result)
	p.unexpected(view.Unexpected(view.WorstFirst(r.Result.Findings)))
	p.expired(r.Result.Expired)
	p.missing(r.Result.Missing)
	p.expected(view.Matches(r.Plan.Expect, r.Result.Findings))
	p.elsewhere(r.Result.Elsewhere)
	p.checks(r.Result.Checks, r.Result.Findings)
	p.notes(r.Result.Notes)
	p.skipped(r.Result.Skipped)
	p.builds(r)
	if _, err := w.Write(p.Bytes()); err != nil {
		return fmt.Errorf("report.md: write: %w", err)
	}
	return nil
}

// top writes the verdict and its reason.
func (p *Document) top(res result.Result) {
	p.Line("### %s %s: %s", view.Sign(res.Verdict), res.Verdict, BriefProse(res.FullName(), briefName))
	p.Line("")
	if res.Answer != "" {
		p.Line("%s\n", BriefProse(view.AsSentence(res.Answer), briefSentence))
	}
	p.Line("%s", BriefProse(view.FirstOf(res.Reason, "no reason was given"), briefSentence))
	p.Line("")
	p.Line("%s · %s · seed %d%s", BriefProse(res.Pair(), 2*briefName), BriefProse(view.Journey(res.Journey), briefSentence), res.Seed, servedBy(res))
	if about := strings.Join(strings.Fields(res.About), " "); about != "" {
		p.Line("\n%s", BriefProse(about, briefAbout))
	}
	if t := res.Mutant; t != nil {
		p.Line("\n%s (mutant %s): %s", view.Capitalized(view.WrongOnPurpose(res)), BriefCode(t.Name, briefName), BriefProse(strings.Join(strings.Fields(t.About), " "), briefSentence))
		p.Line("\n%s", BriefProse(t.Message, briefSentence))
	}
}

// servedBy returns which kube-apiserver served custom resources; "" without any.
func servedBy(res result.Result) string {
	servers := view.DefinitionServers(res)
	if len(servers) == 0 {
		return ""
	}
	return " · served by " + BriefCode(strings.Join(servers, ", "), briefName)
}

// unexpected lists the findings that no expectation matches, the worst first, and what the
// guide requires after a broken rule.
func (p *Document) unexpected(findings []result.Finding) {
	if len(findings) == 0 {
		return
	}
	p.Line("\n#### Unexpected findings: %d\n", len(findings))
	p.List(roomUnexpected, len(findings), func(i int) string { return itemOf(findings[i]) }, andMore)
	var advice []string
	for _, rule := range view.RulesOf(findings) {
		if text := term.AdviceOnRule(rule).String(); text != "" {
			advice = append(advice, fmt.Sprintf("- %s: %s", rule, Prose(text)))
		}
	}
	if len(advice) > 0 {
		p.Line("\nWhat the guide asks:\n")
		p.List(roomAdvice, len(advice), func(i int) string { return advice[i] }, andMore)
	}
}

// itemOf returns a finding as an item of a list, with the address of its evidence.
func itemOf(f result.Finding) string {
	return fmt.Sprintf("- %s (%s)", BriefProse(f.Message, briefSentence), BriefCode(view.EvidenceAddress(f, view.ReportFile), briefSentence))
}

// missing lists the expectations that were not met.
func (p *Document) missing(missing []result.Missing) {
	if len(missing) == 0 {
		return
	}
	p.Line("\n#### Expected, but not found: %d\n", len(missing))
	p.List(roomMissing, len(missing), func(i int) string {
		return fmt.Sprintf("- %s: %s", BriefProse(missing[i].Message, briefSentence), BriefCode(view.ExpectationLine(missing[i].Expectation), briefSentence))
	}, andMore)
}

// expected lists the expected findings, folded away: the first for each expectation.
func (p *Document) expected(matched []view.Match) {
	if len(matched) == 0 {
		return
	}
	total := 0
	for _, m := range matched {
		total += len(m.Findings)
	}
	p.Line("\n<details><summary>Expected findings: %d</summary>\n", total)
	p.List(roomExpected, len(matched), func(i int) string { return matchedItem(matched[i]) }, "- and %d lines of expect more, in report.html")
	p.Line("\n</details>")
}

// matchedItem returns an expectation with the first findings that match it.
func matchedItem(m view.Match) string {
	items := []string{fmt.Sprintf("- %s: %d", BriefCode(m.Line, briefSentence), len(m.Findings))}
	for _, f := range m.Findings[:min(len(m.Findings), maxExpected)] {
		items = append(items, "  "+itemOf(f))
	}
	if more := len(m.Findings) - maxExpected; more > 0 {
		items = append(items, "  "+fmt.Sprintf(andMore, more))
	}
	return strings.Join(items, "\n")
}

// checks writes the table of checks.
func (p *Document) checks(checks []result.Check, findings []result.Finding) {
	if len(checks) == 0 {
		return
	}
	p.Line("\n| check | verdict | judged | indeterminate | findings | guarantee |")
	p.Line("| --- | --- | ---: | ---: | ---: | --- |")
	p.List(roomChecks, len(checks), func(i int) string {
		c := checks[i]
		return fmt.Sprintf("| %s | %s %s | %d | %d | %d | %s |", c.Name, view.Sign(c.Verdict), c.Verdict,
			c.Judged, c.Indeterminate, c.Findings, Cell(view.Brief(view.Visible(view.FirstOf(c.Reason, view.Guarantee(c, findings))), briefSentence)))
	}, "| and %d more | | | | | in report.html |")
}

// notes lists what a reader must know to understand the rest.
func (p *Document) notes(notes []string) {
	if len(notes) == 0 {
		return
	}
	p.Line("")
	p.List(roomNotes, len(notes), func(i int) string { return "- " + BriefProse(notes[i], briefSentence) }, andMore)
}

// skipped counts the calls that were not executed.
func (p *Document) skipped(skipped []result.Skip) {
	if len(skipped) == 0 {
		return
	}
	p.Line("\n<details><summary>Skipped: %d</summary>\n", len(skipped))
	reasons := view.SkippedByReason(skipped)
	p.List(roomSkipped, len(reasons), func(i int) string {
		return fmt.Sprintf("- %d × %s", reasons[i].Count, BriefProse(reasons[i].Text, briefSentence))
	}, andMore)
	p.Line("\n</details>")
}

// builds writes which builds ran, how long the run took, and how to repeat it.
func (p *Document) builds(r view.Run) {
	res := r.Result
	p.Line("")
	p.List(roomBuilds, len(res.Builds), func(i int) string {
		b := res.Builds[i]
		return fmt.Sprintf("- %s: %s, %s, %s", b.Role, BriefCode(b.Reference, 2*briefName), BriefProse(b.Version, briefName), BriefCode(b.Digest, briefName))
	}, andMore)
	p.Line("\n%d copies, %d steps, %d requests, %d changes of the store in %.1f s",
		res.Counts.Copies, res.Counts.Steps, res.Counts.Operations, res.Counts.Changes, res.Timing.Total)
	if command := view.RepeatCommand(r); command != "" && len(command) <= briefAbout { // a cut command repeats nothing
		p.Line("\nAgain: %s", Code(command))
	}
}
