package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// What a case holds at most: CI systems show little of long texts, and some refuse
// them. report.html has them whole.
const (
	mostTold     = 50   // findings, or expectations
	mostSentence = 2000 // characters of one sentence
	mostMessage  = 300  // of the message, which lists of cases show in one line
)

// reportFile is where junit.xml and report.md find the evidence, beside them.
const reportFile = "report.html"

// JUnit writes junit.xml: the scenario with its pair is a suite, each check a case,
// and the list of expectations one more, so that a CI shows which promise broke.
//
// A check that is unknown is an error, not a pass and not skipped: nothing was
// shown to be well. Cases have no time of their own, since all checks look at one
// run; and no file, since a run does not know where in a repository its scenario lies.
func JUnit(w io.Writer, r Run) error {
	r = Sealed(r)
	suite := checkedSuite(r.Result, reportFile, r.AllowImpacts)
	out := "report: " + reportFile
	if command := repeatCommand(r); command != "" {
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

// checkedSuite is a run's suite with its cases. The report is where its report.html
// lies, as links have it. Where impacts are allowed they fail no case.
func checkedSuite(res result.Result, report string, allowImpacts bool) junit.Testsuite {
	suite := suiteOf(res)
	class := className(suite.Name)
	for _, c := range res.Checks {
		suite.AddTestcase(checkCase(class, c, res.Findings, report, allowImpacts))
	}
	suite.AddTestcase(expectationsCase(class, res))
	return suite
}

// suiteOf is the scenario with its pair, without cases yet.
func suiteOf(res result.Result) junit.Testsuite {
	suite := junit.Testsuite{
		Name: visible(res.FullName() + " (" + pair(res) + ")"),
		Time: fmt.Sprintf("%.3f", res.Timing.Total),
	}
	suite.AddProperty("verdict", string(res.Verdict))
	suite.AddProperty("reason", brief(visible(res.Reason), mostSentence))
	suite.AddProperty("journey", visible(journey(res.Journey)))
	suite.AddProperty("seed", fmt.Sprint(res.Seed))
	if t := res.Twin; t != nil {
		suite.AddProperty("twin", brief(visible(t.Message), mostSentence))
	}
	for _, b := range res.Builds {
		suite.AddProperty("build."+string(b.Role), visible(b.Reference))
		suite.AddProperty("version."+string(b.Role), visible(b.Version))
		suite.AddProperty("digest."+string(b.Role), visible(b.Digest))
	}
	return suite
}

// className groups the cases of a suite. Jenkins takes all up to the last dot for a
// package, so that versions must have none.
func className(suite string) string {
	return "skewsim." + strings.NewReplacer(" .. ", " to ", ".", "_").Replace(suite)
}

// checkCase is one check. The findings that were expected are its output, the
// others its failure.
func checkCase(class string, c result.Check, findings []result.Finding, report string, allowImpacts bool) junit.Testcase {
	mine := filter(worstFirst(findings), func(f result.Finding) bool { return f.Check == c.Name })
	tc := junit.Testcase{Name: visible(string(c.Name)), Classname: class}
	out := fmt.Sprintf("%s\njudged %d, indeterminate %d, findings %d", visible(c.Guarantee), c.Judged, c.Untold, c.Findings)
	if known := expected(mine); len(known) > 0 {
		out += "\nexpected:\n" + sentences(known, report)
	}
	tc.SystemOut = &junit.Output{Data: out}
	switch c.Verdict {
	case term.Fail:
		tc.Failure = failure(c, unexpected(mine), report)
	case term.Impacts:
		tellImpacts(&tc, failure(c, unexpected(mine), report), allowImpacts)
	case term.Unknown:
		why := firstOf(brief(visible(c.Reason), mostSentence), "nothing was judged")
		tc.Error = &junit.Result{Message: brief(why, mostMessage), Type: string(term.Unknown), Data: why}
	case term.NotApplicable:
		tc.Skipped = &junit.Result{Message: brief(visible(c.Reason), mostMessage)}
	}
	return tc
}

// tellImpacts adds impacts to a case: as its failure, or as output where they are allowed.
func tellImpacts(tc *junit.Testcase, told *junit.Result, allowed bool) {
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

// failure tells why a check failed. Many systems show the message alone, so it has
// the worst finding's sentence.
func failure(c result.Check, broken []result.Finding, report string) *junit.Result {
	message := firstOf(visible(c.Reason), "a finding that the scenario expects was not seen")
	switch len(broken) {
	case 0:
		return &junit.Result{Message: brief(message, mostMessage), Type: string(c.Verdict), Data: brief(message, mostSentence)}
	case 1:
		message = visible(broken[0].Message)
	default:
		message = fmt.Sprintf("%d unexpected findings, the worst: %s", len(broken), visible(broken[0].Message))
	}
	text := sentences(broken, report)
	for _, rule := range rulesOf(broken) {
		if advice := term.AdviceOnRule(rule).String(); advice != "" {
			text += fmt.Sprintf("\n\n%s: %s", rule, advice)
		}
	}
	return &junit.Result{Message: brief(message, mostMessage), Type: string(c.Verdict), Data: text}
}

// rulesOf are the rules that findings are held against, in the order of the list.
func rulesOf(findings []result.Finding) []term.Rule {
	broken := map[term.Rule]bool{}
	for _, f := range findings {
		broken[f.Rule] = true
	}
	var all []term.Rule
	for _, e := range term.Rules() {
		if broken[e.Word] {
			all = append(all, e.Word)
		}
	}
	return all
}

// expectationsCase tells whether every expectation was met, and none has expired.
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
		why := brief(visible(res.Reason), mostSentence)
		tc.Error = &junit.Result{Message: brief(why, mostMessage), Type: string(term.Unknown), Data: why}
	}
	return tc
}

// sentences writes findings, each with the address of its evidence below it.
func sentences(findings []result.Finding, report string) string {
	var lines []string
	for _, f := range findings[:min(len(findings), mostTold)] {
		lines = append(lines, brief(visible(f.Message), mostSentence), "  "+evidenceAddress(f, report))
	}
	return strings.Join(append(lines, further(len(findings), mostTold)...), "\n")
}

// evidenceAddress is where a report shows what a finding is about.
func evidenceAddress(f result.Finding, report string) string {
	if f.Step == 0 && f.Copy == "" {
		return report // it is of no step, but of the run
	}
	return report + findingLink(f)
}

// missingSentences writes the expectations that were not met, one to a line.
func missingSentences(missing []result.Missing) string {
	var lines []string
	for _, m := range missing[:min(len(missing), mostTold)] {
		lines = append(lines, brief(visible(m.Message)+": "+line(m.Expectation), mostSentence))
	}
	return strings.Join(append(lines, further(len(missing), mostTold)...), "\n")
}

// further says how many of a list are left out; nothing where none is.
func further(all, shown int) []string {
	if all <= shown {
		return nil
	}
	return []string{fmt.Sprintf("and %d more, in %s", all-shown, reportFile)}
}

// brief is a text with no more than so many characters, and says what it leaves out.
func brief(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return fmt.Sprintf("%s … (%d characters more, in %s)", string(runes[:most]), len(runes)-most, reportFile)
}

// firstOf returns the first text that says something.
func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
