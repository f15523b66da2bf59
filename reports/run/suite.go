package run

import (
	"cmp"
	"fmt"
	"io"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// JUnit writes junit.xml: the scenario with its pair is a suite, each check a case, and the
// expectations another, so that a CI system shows which guarantee broke. A check with the verdict
// unknown is an error, neither passed nor skipped: it did not show that the guarantee holds. Cases
// have no time of their own, since all checks look at one run.
func JUnit(w io.Writer, r view.Run) error {
	r = view.Sealed(r)
	suite := suiteOf(r.Result, view.ReportFile, r.AllowImpacts)
	suite.Output = []string{"report: " + view.ReportFile}
	if command := view.RepeatCommand(r); command != "" {
		suite.Add("repeat", command)
		suite.Output = append(suite.Output, "repeat: "+command)
	}
	return document.JUnit(w, suite)
}

// suiteOf fills a run's suite. Report is the path of its report.html, for links. Impacts fail no case if
// they are allowed.
func suiteOf(res result.Result, report string, allowImpacts bool) document.Suite {
	suite := document.Suite{Name: res.FullName() + " (" + res.Pair() + ")", Seconds: res.Timing.Total, Page: view.ReportFile}
	suite.Add("verdict", string(res.Verdict))
	suite.Add("reason", res.Reason)
	suite.Add("journey", view.Journey(res.Journey))
	suite.Add("seed", fmt.Sprint(res.Seed))
	if res.Mutant != nil {
		suite.Add("twin", res.Mutant.Message)
	}
	for _, b := range res.Builds {
		suite.Add("build."+string(b.Role), b.Reference)
		suite.Add("version."+string(b.Role), b.Version)
		suite.Add("digest."+string(b.Role), b.Digest)
	}
	for _, c := range res.Checks {
		suite.Cases = append(suite.Cases, checkCase(c, res.Findings, report, allowImpacts))
	}
	suite.Cases = append(suite.Cases, expectationsCase(res))
	return suite
}

// checkCase is the case of one check. Its output has the expected findings, its failure the others.
func checkCase(c result.Check, findings []result.Finding, report string, allowImpacts bool) document.Case {
	mine := view.Select(view.WorstFirst(findings), func(f result.Finding) bool { return f.Check == c.Name })
	tc := document.Case{Name: string(c.Name), Output: document.LinesOf(c.Guarantee, fmt.Sprintf("judged %d, indeterminate %d, findings %d", c.Judged, c.Indeterminate, c.Findings))}
	if known := view.Expected(mine); len(known) > 0 {
		tc.Output = append(append(tc.Output, document.Line{Text: "expected:"}), lines(known, report)...)
	}
	broken := view.Unexpected(mine)
	tc.Message, tc.Text = cmp.Or(c.Reason, "a finding that the scenario expects was not seen"), lines(broken, report)
	switch len(broken) {
	case 0:
		tc.Text = document.LinesOf(tc.Message)
	case 1:
		tc.Message = broken[0].Message
	default: // many systems show only the message
		tc.Message = fmt.Sprintf("%d unexpected findings, the worst: %s", len(broken), broken[0].Message)
	}
	for _, rule := range view.RulesOf(broken) {
		if advice := term.AdviceOnRule(rule).String(); advice != "" {
			tc.Advice = append(tc.Advice, string(rule)+": "+advice)
		}
	}
	return ended(tc, c.Verdict, cmp.Or(c.Reason, "nothing was judged"), allowImpacts)
}

// ended gives a case the outcome of a verdict. Its message and text are those of a failure; why is the
// reason of any other.
func ended(tc document.Case, verdict term.VerdictWord, why string, allowImpacts bool) document.Case {
	tc.Kind = string(verdict)
	switch {
	case verdict == term.Fail, verdict == term.Impacts && !allowImpacts:
		tc.Outcome = document.Failed
		return tc
	case verdict == term.Impacts:
		tc.Text = append([]document.Line{{Text: "impacts, which are allowed:"}}, tc.Text...)
		return tc
	case verdict == term.Unknown:
		tc.Outcome, tc.Text = document.Errored, append(document.LinesOf(why), tc.Text...)
	case verdict == term.NotApplicable:
		tc.Outcome, tc.Text = document.Skipped, nil
	default:
		tc.Text = nil
	}
	tc.Message, tc.Advice = why, nil
	return tc
}

// expectationsCase fails if an expectation was not met or has expired.
func expectationsCase(res result.Result) document.Case {
	tc := document.Case{Name: "expectations"}
	if len(res.Elsewhere) > 0 {
		tc.Output = document.LinesOf("not expected for this pair:")
	}
	for _, e := range res.Elsewhere {
		tc.Output = append(tc.Output, document.Line{Text: view.ExpectationLine(e.Expectation) + ": " + e.Reason})
	}
	for _, e := range res.Expired {
		tc.Text = append(tc.Text, document.Line{Text: e.Message + ": " + view.ExpectationLine(e.Expectation)})
	}
	missing := &tc.Text
	if len(res.Expired) > 0 && len(res.Missing) > 0 { // each list has a limit of its own
		missing = &tc.Output
		tc.Output = append(tc.Output, document.Line{Text: "expected, but not found:"})
	}
	for _, m := range res.Missing {
		*missing = append(*missing, document.Line{Text: m.Message + ": " + view.ExpectationLine(m.Expectation)})
	}
	switch {
	case len(res.Expired) > 0:
		tc.Message = res.Expired[0].Message
	case len(res.Missing) > 0:
		tc.Message = fmt.Sprintf("%d of the scenario's expectations not met", len(res.Missing))
	case res.Verdict == term.Unknown:
		return ended(tc, term.Unknown, res.Reason, false)
	default:
		return tc
	}
	return ended(tc, term.Fail, "", false)
}

// lines are findings, each with the address of its evidence.
func lines(findings []result.Finding, report string) (all []document.Line) {
	for _, f := range findings {
		all = append(all, document.Line{Text: f.Message, Address: view.EvidenceAddress(f, report)})
	}
	return all
}
