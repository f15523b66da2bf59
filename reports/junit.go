package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/term"
)

// JUnit writes junit.xml: the scenario is a suite, each check a case, and the
// list of expectations one more, so that a CI shows which promise broke.
//
// A check that is unknown is an error, not a pass and not skipped: nothing was
// shown to be well.
func JUnit(w io.Writer, r Run) error {
	var suites junit.Testsuites
	suites.AddSuite(checkedSuite(Sealed(r).Result))
	if err := suites.WriteXML(w); err != nil {
		return fmt.Errorf("junit.xml: write: %w", err)
	}
	return nil
}

// checkedSuite is a run's suite with its cases.
func checkedSuite(res result.Result) junit.Testsuite {
	suite := suiteOf(res)
	for _, c := range res.Checks {
		suite.AddTestcase(checkCase(suite.Name, c, res.Findings))
	}
	suite.AddTestcase(expectationsCase(suite.Name, res))
	return suite
}

// suiteOf is the scenario with its pair, without cases yet.
func suiteOf(res result.Result) junit.Testsuite {
	suite := junit.Testsuite{
		Name: visible(res.FullName() + " (" + pair(res) + ")"),
		Time: fmt.Sprintf("%.3f", res.Timing.Total),
	}
	suite.AddProperty("verdict", string(res.Verdict))
	suite.AddProperty("reason", visible(res.Reason))
	suite.AddProperty("seed", fmt.Sprint(res.Seed))
	if t := res.Twin; t != nil {
		suite.AddProperty("twin", visible(t.Message))
	}
	for _, b := range res.Builds {
		suite.AddProperty("build."+string(b.Role), visible(b.Reference))
	}
	return suite
}

// checkCase is one check. The findings that were expected are its output, the
// others its failure.
func checkCase(suite string, c result.Check, findings []result.Finding) junit.Testcase {
	mine := filter(findings, func(f result.Finding) bool { return f.Check == c.Name })
	tc := junit.Testcase{Name: string(c.Name), Classname: suite}
	out := fmt.Sprintf("%s\njudged %d, untold %d, findings %d", visible(c.Guarantee), c.Judged, c.Untold, c.Findings)
	if known := sentences(expected(mine)); known != "" {
		out += "\nexpected:\n" + known
	}
	tc.SystemOut = &junit.Output{Data: out}
	switch c.Verdict {
	case term.Fail:
		tc.Failure = failure(c, unexpected(mine))
	case term.Unknown:
		tc.Error = &junit.Result{Message: firstOf(visible(c.Reason), "nothing was judged"), Type: string(term.Unknown)}
	}
	return tc
}

// failure tells why a check failed.
func failure(c result.Check, broken []result.Finding) *junit.Result {
	message := fmt.Sprintf("%d unexpected findings", len(broken))
	switch len(broken) {
	case 0:
		message = "a finding that the scenario expects was not seen"
	case 1:
		message = "1 unexpected finding"
	}
	return &junit.Result{Message: firstOf(visible(c.Reason), message), Type: string(term.Fail), Data: sentences(broken)}
}

// expectationsCase tells whether every expectation was met.
func expectationsCase(suite string, res result.Result) junit.Testcase {
	tc := junit.Testcase{Name: "expectations", Classname: suite}
	switch {
	case len(res.Missing) > 0:
		tc.Failure = &junit.Result{
			Message: fmt.Sprintf("%d of the scenario's expectations not met", len(res.Missing)),
			Type:    string(term.Fail),
			Data:    missingSentences(res.Missing),
		}
	case res.Verdict == term.Unknown:
		tc.Error = &junit.Result{Message: visible(res.Reason), Type: string(term.Unknown)}
	}
	return tc
}

// sentences writes findings one to a line.
func sentences(findings []result.Finding) string {
	lines := make([]string, len(findings))
	for i, f := range findings {
		lines[i] = visible(f.Message)
	}
	return strings.Join(lines, "\n")
}

// missingSentences writes the expectations that were not met, one to a line.
func missingSentences(missing []result.Missing) string {
	lines := make([]string, len(missing))
	for i, m := range missing {
		lines[i] = visible(m.Message) + ": " + line(m.Expectation)
	}
	return strings.Join(lines, "\n")
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
