package junitxml

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// expiredFailure is the failure message of the case of expectations if some have expired.
func expiredFailure(res result.Result) *junit.Result {
	var lines []string
	for _, e := range res.Expired[:min(len(res.Expired), maxTold)] {
		lines = append(lines, view.Brief(view.Visible(e.Message)+": "+view.ExpectationLine(e.Expectation), maxSentence))
	}
	lines = append(lines, view.Further(len(res.Expired), maxTold)...)
	if len(res.Missing) > 0 {
		lines = append(lines, missingSentences(res.Missing))
	}
	return &junit.Result{
		Message: view.Brief(view.Visible(res.Expired[0].Message), maxMessage), Type: string(term.Fail), Data: strings.Join(lines, "\n"),
	}
}

// elsewhereOutput is the output of the case of expectations about those for other pairs.
func elsewhereOutput(others []result.Elsewhere) *junit.Output {
	if len(others) == 0 {
		return nil
	}
	lines := []string{"not expected for this pair:"}
	for _, e := range others[:min(len(others), maxTold)] {
		lines = append(lines, view.Brief(view.ExpectationLine(e.Expectation)+": "+view.Visible(e.Reason), maxSentence))
	}
	return &junit.Output{Data: strings.Join(append(lines, view.Further(len(others), maxTold)...), "\n")}
}

// The limits of a case: CI systems show little of long texts, and some refuse them.
// report.html has the whole texts.
const (
	maxTold     = 50   // findings, or expectations
	maxSentence = 2000 // characters of one sentence
	maxMessage  = 300  // of the message, which lists of cases show in one line
)

// Write writes junit.xml: the scenario with its pair is a suite, each check a case, and the
// expectations another, so that a CI system shows which guarantee broke. A check with the
// verdict unknown is an error, neither passed nor skipped: it did not show that the
// guarantee holds. Cases have no time of their own, since all checks look at one run; and
// no file, since a run does not know its scenario's path in a repository.
func Write(w io.Writer, r view.Run) error {
	r = view.Sealed(r)
	suite := checkedSuite(r.Result, view.ReportFile, r.AllowImpacts)
	out := "report: " + view.ReportFile
	if command := view.RepeatCommand(r); command != "" {
		suite.AddProperty("repeat", command)
		out += "\nrepeat: " + command
	}
	suite.SystemOut = &junit.Output{Data: out}
	return writeSuites(w, suite)
}

// writeSuites writes a file of suites.
func writeSuites(w io.Writer, all ...junit.Testsuite) error {
	var suites junit.Testsuites
	for _, suite := range all {
		suites.AddSuite(suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("junit.xml: write: %w", err)
	}
	if err := suites.WriteXML(w); err != nil {
		return fmt.Errorf("junit.xml: write: %w", err)
	}
	return nil
}

// checkedSuite returns a run's suite with its cases. report is the path of its report.html,
// for links. Impacts fail no case if they are allowed.
func checkedSuite(res result.Result, report string, allowImpacts bool) junit.Testsuite {
	suite := suiteOf(res)
	class := className(suite.Name)
	for _, c := range res.Checks {
		suite.AddTestcase(checkCase(class, c, res.Findings, report, allowImpacts))
	}
	suite.AddTestcase(expectationsCase(class, res))
	return suite
}

// suiteOf returns the suite of a scenario with its pair, without cases.
func suiteOf(res result.Result) junit.Testsuite {
	suite := junit.Testsuite{
		Name: view.Visible(res.FullName() + " (" + res.Pair() + ")"),
		Time: fmt.Sprintf("%.3f", res.Timing.Total),
	}
	suite.AddProperty("verdict", string(res.Verdict))
	suite.AddProperty("reason", view.Brief(view.Visible(res.Reason), maxSentence))
	suite.AddProperty("journey", view.Visible(view.Journey(res.Journey)))
	suite.AddProperty("seed", fmt.Sprint(res.Seed))
	if t := res.Mutant; t != nil {
		suite.AddProperty("twin", view.Brief(view.Visible(t.Message), maxSentence))
	}
	for _, b := range res.Builds {
		suite.AddProperty("build."+string(b.Role), view.Visible(b.Reference))
		suite.AddProperty("version."+string(b.Role), view.Visible(b.Version))
		suite.AddProperty("digest."+string(b.Role), view.Visible(b.Digest))
	}
	return suite
}

// className groups the cases of a suite. Jenkins uses everything up to the last dot as a
// package, so versions in it have no dots.
func className(suite string) string {
	return "skewsim." + strings.NewReplacer(" .. ", " to ", ".", "_").Replace(suite)
}

// checkCase returns the case of one check. Its output has the expected findings, its
// failure the others.
func checkCase(class string, c result.Check, findings []result.Finding, report string, allowImpacts bool) junit.Testcase {
	mine := view.Select(view.WorstFirst(findings), func(f result.Finding) bool { return f.Check == c.Name })
	tc := junit.Testcase{Name: view.Visible(string(c.Name)), Classname: class}
	out := fmt.Sprintf("%s\njudged %d, indeterminate %d, findings %d", view.Visible(c.Guarantee), c.Judged, c.Indeterminate, c.Findings)
	if known := view.Expected(mine); len(known) > 0 {
		out += "\nexpected:\n" + sentences(known, report)
	}
	tc.SystemOut = &junit.Output{Data: out}
	switch c.Verdict {
	case term.Fail:
		tc.Failure = failure(c, view.Unexpected(mine), report)
	case term.Impacts:
		reportImpacts(&tc, failure(c, view.Unexpected(mine), report), allowImpacts)
	case term.Unknown:
		why := view.FirstOf(view.Brief(view.Visible(c.Reason), maxSentence), "nothing was judged")
		tc.Error = &junit.Result{Message: view.Brief(why, maxMessage), Type: string(term.Unknown), Data: why}
	case term.NotApplicable:
		tc.Skipped = &junit.Result{Message: view.Brief(view.Visible(c.Reason), maxMessage)}
	}
	return tc
}

// reportImpacts adds impacts to a case: as its failure, or as output if they are allowed.
func reportImpacts(tc *junit.Testcase, told *junit.Result, allowed bool) {
	if !allowed {
		tc.Failure = told
		return
	}
	out := "impacts, which are allowed:\n" + told.Data
	if tc.SystemOut != nil {
		out = tc.SystemOut.Data + "\n" + out
	}
	tc.SystemOut = &junit.Output{Data: out}
}

// failure returns the message of a failed check. Many systems show only the message, so it
// has the worst finding's sentence.
func failure(c result.Check, broken []result.Finding, report string) *junit.Result {
	message := view.FirstOf(view.Visible(c.Reason), "a finding that the scenario expects was not seen")
	switch len(broken) {
	case 0:
		return &junit.Result{Message: view.Brief(message, maxMessage), Type: string(c.Verdict), Data: view.Brief(message, maxSentence)}
	case 1:
		message = view.Visible(broken[0].Message)
	default:
		message = fmt.Sprintf("%d unexpected findings, the worst: %s", len(broken), view.Visible(broken[0].Message))
	}
	text := sentences(broken, report)
	for _, rule := range view.RulesOf(broken) {
		if advice := term.AdviceOnRule(rule).String(); advice != "" {
			text += fmt.Sprintf("\n\n%s: %s", rule, advice)
		}
	}
	return &junit.Result{Message: view.Brief(message, maxMessage), Type: string(c.Verdict), Data: text}
}

// expectationsCase returns the case that fails if an expectation was not met or has
// expired.
func expectationsCase(class string, res result.Result) junit.Testcase {
	tc := junit.Testcase{Name: "expectations", Classname: class}
	tc.SystemOut = elsewhereOutput(res.Elsewhere)
	switch {
	case len(res.Expired) > 0:
		tc.Failure = expiredFailure(res)
	case len(res.Missing) > 0:
		tc.Failure = &junit.Result{
			Message: fmt.Sprintf("%d of the scenario's expectations not met", len(res.Missing)),
			Type:    string(term.Fail),
			Data:    missingSentences(res.Missing),
		}
	case res.Verdict == term.Unknown:
		why := view.Brief(view.Visible(res.Reason), maxSentence)
		tc.Error = &junit.Result{Message: view.Brief(why, maxMessage), Type: string(term.Unknown), Data: why}
	}
	return tc
}

// sentences writes findings, each with the address of its evidence below it.
func sentences(findings []result.Finding, report string) string {
	var lines []string
	for _, f := range findings[:min(len(findings), maxTold)] {
		lines = append(lines, view.Brief(view.Visible(f.Message), maxSentence), "  "+view.EvidenceAddress(f, report))
	}
	return strings.Join(append(lines, view.Further(len(findings), maxTold)...), "\n")
}

// missingSentences writes the expectations that were not met, one to a line.
func missingSentences(missing []result.Missing) string {
	var lines []string
	for _, m := range missing[:min(len(missing), maxTold)] {
		lines = append(lines, view.Brief(view.Visible(m.Message)+": "+view.ExpectationLine(m.Expectation), maxSentence))
	}
	return strings.Join(append(lines, view.Further(len(missing), maxTold)...), "\n")
}
