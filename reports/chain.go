package reports

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/chain"
)

// ChainJSON writes chain.json.
func ChainJSON(w io.Writer, v chain.Verdict) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	if err := out.Encode(v); err != nil {
		return fmt.Errorf("chain.json: write: %w", err)
	}
	return nil
}

// ChainText writes the summary of a chain: its legs, what only the whole shows,
// and the verdict last. Options.ReportPath is the chain's directory.
func ChainText(w io.Writer, v chain.Verdict, opts TextOptions) error {
	s := &summary{opts: opts}
	s.heading("legs")
	for _, leg := range v.Legs {
		s.leg(leg)
	}
	if len(v.Findings) > 0 {
		s.heading("differences between legs")
	}
	for _, f := range v.Findings {
		s.line("  %s", visible(f.Message))
	}
	for _, m := range v.Missing {
		s.line("missing: %s", visible(m.Message))
	}
	for _, message := range v.Unseen {
		s.line("not compared: %s", visible(message))
	}
	for _, release := range v.Uncaught {
		s.line("not caught: %s is made otherwise than the right release, and no leg that plays it shows so: the scenario does not touch what it does", visible(release))
	}
	s.heading(fmt.Sprintf("%s  %s, %s, seed %d", s.paint(chainColor(v.Verdict), strings.ToUpper(visible(string(v.Verdict)))), visible(v.Scenario), wayOf(v), v.Seed))
	s.line("  %s", visible(v.Reason))
	if opts.ReportPath != "" {
		s.line("  each leg has its report: %s/legs", visible(opts.ReportPath))
	}
	if _, err := w.Write(s.Bytes()); err != nil {
		return fmt.Errorf("summary: write: %w", err)
	}
	return nil
}

func chainColor(v term.VerdictWord) string {
	return map[term.VerdictWord]string{term.Pass: green, term.Fail: red, term.Impacts: yellow}[v]
}

// wayOf is the chain's way in words.
func wayOf(v chain.Verdict) string {
	way := fmt.Sprintf("%s .. %s", visible(v.Releases[0]), visible(v.Releases[len(v.Releases)-1]))
	if v.Forward {
		return fmt.Sprintf("%s, %d legs forward", way, v.Planned)
	}
	return fmt.Sprintf("%s and back, %d legs", way, v.Planned)
}

func (s *summary) leg(leg chain.LegResult) {
	s.line("  %-7s %-20s %3d copies, %3d taken over, %3d findings", visible(string(leg.Verdict)), visible(leg.Directory), leg.Copies, leg.Adopted, leg.Findings)
	if strings.Contains(leg.OldTitle+leg.NewTitle, " ") { // more than the directory says
		s.line("          %s .. %s", visible(leg.OldTitle), visible(leg.NewTitle))
	}
	if leg.Verdict == term.Pass {
		return
	}
	s.line("          %s", visible(leg.Reason))
	for _, message := range leg.Unexpected {
		s.line("          %s", visible(message))
	}
}

// ChainJUnit writes a chain's junit.xml: the chain is a suite, each leg a case,
// and what only the whole shows one more. Impacts fail no case where they are allowed.
func ChainJUnit(w io.Writer, v chain.Verdict, allowImpacts bool) error {
	suite := junit.Testsuite{Name: visible(fmt.Sprintf("%s (%s)", v.Scenario, wayOf(v)))}
	suite.AddProperty("verdict", visible(string(v.Verdict)))
	suite.AddProperty("reason", visible(v.Reason))
	suite.AddProperty("seed", fmt.Sprint(v.Seed))
	for _, leg := range v.Legs {
		suite.AddTestcase(legCase(className(suite.Name), leg, allowImpacts))
	}
	suite.AddTestcase(wholeCase(className(suite.Name), v))
	return writeSuites(w, suite)
}

func legCase(class string, leg chain.LegResult, allowImpacts bool) junit.Testcase {
	tc := junit.Testcase{Name: visible(leg.Directory), Classname: class, Time: fmt.Sprintf("%.3f", leg.Seconds)}
	report := "report: legs/" + visible(leg.Directory) + "/" + reportFile
	outcome := &junit.Result{Message: brief(visible(leg.Reason), mostMessage), Type: visible(string(leg.Verdict)), Data: told(append(visibleAll(leg.Unexpected), report))}
	switch leg.Verdict {
	case term.Fail:
		tc.Failure = outcome
	case term.Impacts:
		tellImpacts(&tc, outcome, allowImpacts)
	case term.Unknown:
		tc.Error = outcome
	}
	return tc
}

// wholeCase is what no leg tells: differences between them, expectations that
// none met, and legs that were not played.
func wholeCase(class string, v chain.Verdict) junit.Testcase {
	tc := junit.Testcase{Name: "between legs", Classname: class}
	var lines []string
	for _, f := range v.Findings {
		lines = append(lines, visible(f.Message))
	}
	for _, m := range v.Missing {
		lines = append(lines, visible(m.Message))
	}
	switch {
	case len(lines) > 0:
		tc.Failure = &junit.Result{Message: brief(lines[0], mostMessage), Type: string(term.Fail), Data: told(lines)}
	case len(v.Legs) < v.Planned || len(v.Unseen) > 0 || v.Compared == 0 && v.Planned > 1:
		tc.Error = &junit.Result{Message: brief(visible(v.Reason), mostMessage), Type: string(term.Unknown)}
	}
	return tc
}

// told writes sentences one to a line, as many as a case has room for.
func told(sentences []string) string {
	lines := make([]string, min(len(sentences), mostTold))
	for i := range lines {
		lines[i] = brief(sentences[i], mostSentence)
	}
	return strings.Join(append(lines, further(len(sentences), mostTold)...), "\n")
}
