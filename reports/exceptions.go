package reports

import (
	"fmt"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// Lines of expect that have expired fail a run, and those that are for other pairs do
// nothing: each is told with what it says, for who reads a report has no scenario beside it.

// overdue is an expectation that has expired, with its line as a scenario has it.
type overdue struct {
	result.Expired
	Line string
}

// elsewhere is one that is for other pairs, likewise.
type elsewhere struct {
	result.Elsewhere
	Line string
}

// because is the reason that an expectation gives; "" for none.
func because(e scenarios.Expectation) string {
	if e.Why == "" {
		return ""
	}
	return visible(strings.Join(strings.Fields(e.Why), " "))
}

// expired writes the expectations whose time is over.
func (s *summary) expired(expired []result.Expired) {
	if len(expired) == 0 {
		return
	}
	s.heading("expected for a time, which is over")
	for _, e := range expired {
		s.line("  %s  %s", s.paint(red, "EXPIRED"), visible(e.Message))
		s.line("           %s", line(e.Expectation))
		if why := because(e.Expectation); why != "" {
			s.line("           why: %s", why)
		}
	}
}

// elsewhere writes which expectations are for other pairs.
func (s *summary) elsewhere(others []result.Elsewhere) {
	if len(others) == 0 {
		return
	}
	s.heading(fmt.Sprintf("not expected of this pair: %s", plural(len(others), "line")))
	for _, e := range others {
		s.line("  line %d: %s", e.Expectation.Line, visible(e.Reason))
		s.line("           %s", line(e.Expectation))
	}
}

// expired lists the expectations whose time is over.
func (p *page) expired(expired []result.Expired) {
	if len(expired) == 0 {
		return
	}
	p.line("\n#### Expected for a time, which is over: %d\n", len(expired))
	p.list(roomExpired, len(expired), func(i int) string {
		e := expired[i]
		text := fmt.Sprintf("- %s: %s", proseOf(e.Message, briefSentence), codeOf(line(e.Expectation), briefSentence))
		if why := because(e.Expectation); why != "" {
			text += ": " + proseOf(why, briefSentence)
		}
		return text
	}, andMore)
}

// elsewhere lists the expectations that are for other pairs, folded away.
func (p *page) elsewhere(others []result.Elsewhere) {
	if len(others) == 0 {
		return
	}
	p.line("\n<details><summary>Not expected of this pair: %d</summary>\n", len(others))
	p.list(roomElsewhere, len(others), func(i int) string {
		return fmt.Sprintf("- %s: %s", codeOf(line(others[i].Expectation), briefSentence), proseOf(others[i].Reason, briefSentence))
	}, andMore)
	p.line("\n</details>")
}

// expiredFailure is the failure of the case of expectations where some have expired.
func expiredFailure(res result.Result) *junit.Result {
	var lines []string
	for _, e := range res.Expired[:min(len(res.Expired), mostTold)] {
		lines = append(lines, brief(visible(e.Message)+": "+line(e.Expectation), mostSentence))
	}
	lines = append(lines, further(len(res.Expired), mostTold)...)
	if len(res.Missing) > 0 {
		lines = append(lines, missingSentences(res.Missing))
	}
	return &junit.Result{
		Message: brief(visible(res.Expired[0].Message), mostMessage), Type: string(term.Fail), Data: strings.Join(lines, "\n"),
	}
}

// elsewhereOutput is what the case of expectations says of those for other pairs.
func elsewhereOutput(others []result.Elsewhere) *junit.Output {
	if len(others) == 0 {
		return nil
	}
	lines := []string{"not expected of this pair:"}
	for _, e := range others[:min(len(others), mostTold)] {
		lines = append(lines, brief(line(e.Expectation)+": "+visible(e.Reason), mostSentence))
	}
	return &junit.Output{Data: strings.Join(append(lines, further(len(others), mostTold)...), "\n")}
}
