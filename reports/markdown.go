package reports

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// A comment on a pull request holds 65536 characters, so each part has a room of its
// own, in bytes, and says what it leaves out; report.html has all of it. Together they
// stay below that, whatever a run holds.
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

	mostExpected = 10 // findings for each line of expect
)

// What one text has at most, in characters. As Markdown each may take four bytes.
const (
	briefName     = 120
	briefSentence = 600
	briefAbout    = 1000
)

// page is what Markdown writes to. Writing to a buffer cannot go wrong.
type page struct{ bytes.Buffer }

// Markdown writes report.md, for a comment on a pull request or the summary of
// a CI job. Addresses of evidence are no links, since a comment lies beside no
// report: they are to be opened where report.html is.
func Markdown(w io.Writer, r Run) error {
	r = Sealed(r)
	p := &page{}
	p.top(r.Result)
	p.unexpected(unexpected(worstFirst(r.Result.Findings)))
	p.expired(r.Result.Expired)
	p.missing(r.Result.Missing)
	p.expected(matches(r.Plan.Expect, r.Result.Findings))
	p.elsewhere(r.Result.Elsewhere)
	p.checks(r.Result.Checks)
	p.notes(r.Result.Notes)
	p.skipped(r.Result.Skipped)
	p.builds(r)
	if _, err := w.Write(p.Bytes()); err != nil {
		return fmt.Errorf("report.md: write: %w", err)
	}
	return nil
}

// line writes one line.
func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// list writes so many items as lines, those that there is room for, and then what says
// how many are left out. What is left out is not made either.
func (p *page) list(room, count int, item func(i int) string, more string) {
	for i := range count {
		text := item(i)
		room -= len(text) + 1
		if room < 0 {
			p.line(more, count-i)
			return
		}
		p.line("%s", text)
	}
}

// andMore is how a list says so.
const andMore = "- and %d more, in report.html"

// proseOf is prose of a text of others, with no more than so many characters.
func proseOf(text string, most int) string { return prose(brief(visible(text), most)) }

// codeOf is that as code.
func codeOf(text string, most int) string { return code(brief(visible(text), most)) }

// top writes the verdict and why.
func (p *page) top(res result.Result) {
	p.line("### %s %s: %s", sign(res.Verdict), res.Verdict, proseOf(res.FullName(), briefName))
	p.line("")
	if res.Answer != "" {
		p.line("%s\n", proseOf(asSentence(res.Answer), briefSentence))
	}
	p.line("%s", proseOf(firstOf(res.Reason, "no reason was given"), briefSentence))
	p.line("")
	p.line("%s · %s · seed %d%s", proseOf(pair(res), 2*briefName), proseOf(journey(res.Journey), briefSentence), res.Seed, servedBy(res))
	if about := strings.Join(strings.Fields(res.About), " "); about != "" {
		p.line("\n%s", proseOf(about, briefAbout))
	}
	if t := res.Twin; t != nil {
		p.line("\n%s (twin %s): %s", capital(wrongOnPurpose(res)), codeOf(t.Name, briefName), proseOf(strings.Join(strings.Fields(t.About), " "), briefSentence))
		p.line("\n%s", proseOf(t.Message, briefSentence))
	}
}

// servedBy says which kube-apiserver served custom resources; "" where there is none.
func servedBy(res result.Result) string {
	servers := definitionServers(res)
	if len(servers) == 0 {
		return ""
	}
	return " · served by " + codeOf(strings.Join(servers, ", "), briefName)
}

// unexpected lists the findings that no line of expect matches, the worst first, and
// what the guide asks of who broke their rules.
func (p *page) unexpected(findings []result.Finding) {
	if len(findings) == 0 {
		return
	}
	p.line("\n#### Unexpected findings: %d\n", len(findings))
	p.list(roomUnexpected, len(findings), func(i int) string { return itemOf(findings[i]) }, andMore)
	var advice []string
	for _, rule := range rulesOf(findings) {
		if text := term.AdviceOnRule(rule).String(); text != "" {
			advice = append(advice, fmt.Sprintf("- %s: %s", rule, prose(text)))
		}
	}
	if len(advice) > 0 {
		p.line("\nWhat the guide asks:\n")
		p.list(roomAdvice, len(advice), func(i int) string { return advice[i] }, andMore)
	}
}

// itemOf is a finding as an item of a list, with the address of its evidence.
func itemOf(f result.Finding) string {
	return fmt.Sprintf("- %s (%s)", proseOf(f.Message, briefSentence), codeOf(evidenceAddress(f, reportFile), briefSentence))
}

// missing lists the expectations that were not met.
func (p *page) missing(missing []result.Missing) {
	if len(missing) == 0 {
		return
	}
	p.line("\n#### Expected, and not so: %d\n", len(missing))
	p.list(roomMissing, len(missing), func(i int) string {
		return fmt.Sprintf("- %s: %s", proseOf(missing[i].Message, briefSentence), codeOf(line(missing[i].Expectation), briefSentence))
	}, andMore)
}

// expected lists the expected findings, folded away: the first of each line of expect.
func (p *page) expected(matched []match) {
	if len(matched) == 0 {
		return
	}
	total := 0
	for _, m := range matched {
		total += len(m.Findings)
	}
	p.line("\n<details><summary>Expected findings: %d</summary>\n", total)
	p.list(roomExpected, len(matched), func(i int) string { return matchedItem(matched[i]) }, "- and %d lines of expect more, in report.html")
	p.line("\n</details>")
}

// matchedItem is a line of expect with the first findings that match it.
func matchedItem(m match) string {
	items := []string{fmt.Sprintf("- %s: %d", codeOf(m.Line, briefSentence), len(m.Findings))}
	for _, f := range m.Findings[:min(len(m.Findings), mostExpected)] {
		items = append(items, "  "+itemOf(f))
	}
	if more := len(m.Findings) - mostExpected; more > 0 {
		items = append(items, "  "+fmt.Sprintf(andMore, more))
	}
	return strings.Join(items, "\n")
}

// checks writes the table of checks.
func (p *page) checks(checks []result.Check) {
	if len(checks) == 0 {
		return
	}
	p.line("\n| check | verdict | judged | indeterminate | findings | guarantee |")
	p.line("| --- | --- | ---: | ---: | ---: | --- |")
	p.list(roomChecks, len(checks), func(i int) string {
		c := checks[i]
		return fmt.Sprintf("| %s | %s %s | %d | %d | %d | %s |", c.Name, sign(c.Verdict), c.Verdict,
			c.Judged, c.Untold, c.Findings, cell(brief(visible(firstOf(c.Reason, c.Guarantee)), briefSentence)))
	}, "| and %d more | | | | | in report.html |")
}

// notes lists what a reader must know to read the rest right.
func (p *page) notes(notes []string) {
	if len(notes) == 0 {
		return
	}
	p.line("")
	p.list(roomNotes, len(notes), func(i int) string { return "- " + proseOf(notes[i], briefSentence) }, andMore)
}

// skipped counts what was not played.
func (p *page) skipped(skipped []result.Skip) {
	if len(skipped) == 0 {
		return
	}
	p.line("\n<details><summary>Skipped: %d</summary>\n", len(skipped))
	reasons := skippedByReason(skipped)
	p.list(roomSkipped, len(reasons), func(i int) string {
		return fmt.Sprintf("- %d × %s", reasons[i].Count, proseOf(reasons[i].Text, briefSentence))
	}, andMore)
	p.line("\n</details>")
}

// builds writes what was played, in what time, and how to play it again.
func (p *page) builds(r Run) {
	res := r.Result
	p.line("")
	p.list(roomBuilds, len(res.Builds), func(i int) string {
		b := res.Builds[i]
		return fmt.Sprintf("- %s: %s, %s, %s", b.Role, codeOf(b.Reference, 2*briefName), proseOf(b.Version, briefName), codeOf(b.Digest, briefName))
	}, andMore)
	p.line("\n%d copies, %d steps, %d requests, %d changes of the store in %.1f s",
		res.Counts.Copies, res.Counts.Steps, res.Counts.Operations, res.Counts.Changes, res.Timing.Total)
	if command := repeatCommand(r); command != "" && len(command) <= briefAbout { // what is cut repeats nothing
		p.line("\nAgain: %s", code(command))
	}
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
	case term.Impacts:
		return "!"
	case term.NotApplicable:
		return "–"
	}
	return "?"
}

// tame is a word that means nothing in Markdown, nor to a forge that turns
// @names, #numbers and addresses into links, and :words: into pictures. A
// number with a full stop or a bracket behind it would begin a list.
var tame = regexp.MustCompile(`^[("']*\p{L}[\p{L}\p{N}.,;:?+%"'()/-]*$|^\p{N}+(\.\p{N}+)*[,;:]?$|^\p{N}+/\p{N}+\)?[,;:]?$|^\(\p{N}+$|^(\.\.|→|=)$`)

// codeSpan is a word that is one code span already, and ends there.
var codeSpan = regexp.MustCompile("^\\(?`[^`]+`[.,;:!?)]*$")

func isTame(word string) bool {
	return tame.MatchString(word) && !strings.Contains(word, "://") && !strings.HasPrefix(strings.ToLower(word), "www.") &&
		!strings.HasPrefix(word, "GH-") && strings.Count(word, ":") < 2
}

// prose writes a sentence: words that could mean anything to Markdown become
// code, where nothing does. The sentence's punctuation around them does not; nor is code
// made code once more.
func prose(sentence string) string {
	words := strings.Split(visible(sentence), " ")
	for i, word := range words {
		if word != "" && !isTame(word) && !codeSpan.MatchString(word) {
			words[i] = codeWithin(word)
		}
	}
	return strings.Join(words, " ")
}

// codeWithin writes a word as code, without the sentence's punctuation around it. What
// is harmless but for its punctuation, such as the number of a list, is code whole.
func codeWithin(word string) string {
	body := word
	for body != "" && endsSentence(body) {
		body = body[:len(body)-1]
	}
	tail := word[len(body):]
	head := ""
	if rest, ok := strings.CutPrefix(body, "("); ok && (!strings.Contains(rest, ")") || strings.HasPrefix(tail, ")")) {
		head, body = "(", rest
	}
	if body == "" || isTame(body) {
		return code(word)
	}
	return head + code(body) + tail
}

// endsSentence tells whether a word's last character is the sentence's, and not the
// word's own as in f(x), :smile: and &amp;.
func endsSentence(word string) bool {
	within := word[:len(word)-1]
	switch word[len(word)-1] {
	case '.', ',', '!', '?':
		return true
	case ';':
		return !strings.Contains(within, "&")
	case ':':
		return !strings.Contains(within, ":")
	case ')':
		within = strings.TrimPrefix(within, "(")
		return strings.Count(within, ")") >= strings.Count(within, "(")
	}
	return false
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
