package junitxml

import (
	"fmt"
	"io"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/chain"
)

// WriteChain writes a chain's junit.xml: the chain is a suite, each leg a case, and the
// findings of the whole chain another. Impacts fail no case if they are allowed.
func WriteChain(w io.Writer, v chain.Verdict, allowImpacts bool) error {
	suite := junit.Testsuite{Name: view.Visible(fmt.Sprintf("%s (%s)", v.Scenario, view.ChainPair(v)))}
	suite.AddProperty("verdict", view.Visible(string(v.Verdict)))
	suite.AddProperty("reason", view.Visible(v.Reason))
	suite.AddProperty("seed", fmt.Sprint(v.Seed))
	for _, leg := range v.Legs {
		suite.AddTestcase(legCase(className(suite.Name), leg, allowImpacts))
	}
	suite.AddTestcase(wholeCase(className(suite.Name), v))
	return writeSuites(w, suite)
}

func legCase(class string, leg chain.LegResult, allowImpacts bool) junit.Testcase {
	tc := junit.Testcase{Name: view.Visible(leg.Directory), Classname: class, Time: fmt.Sprintf("%.3f", leg.Seconds)}
	report := "report: legs/" + view.Visible(leg.Directory) + "/" + view.ReportFile
	outcome := &junit.Result{Message: view.Brief(view.Visible(leg.Reason), maxMessage), Type: view.Visible(string(leg.Verdict)), Data: told(append(view.VisibleAll(leg.Unexpected), report))}
	switch leg.Verdict {
	case term.Fail:
		tc.Failure = outcome
	case term.Impacts:
		reportImpacts(&tc, outcome, allowImpacts)
	case term.Unknown:
		tc.Error = outcome
	}
	return tc
}

// wholeCase is the case of what no leg shows: differences between legs, expectations that
// no leg met, and legs that were not executed.
func wholeCase(class string, v chain.Verdict) junit.Testcase {
	tc := junit.Testcase{Name: "between legs", Classname: class}
	var lines []string
	for _, f := range v.Findings {
		lines = append(lines, view.Visible(f.Message))
	}
	for _, m := range v.Missing {
		lines = append(lines, view.Visible(m.Message))
	}
	switch {
	case len(lines) > 0:
		tc.Failure = &junit.Result{Message: view.Brief(lines[0], maxMessage), Type: string(term.Fail), Data: told(lines)}
	case len(v.Legs) < v.Planned || len(v.Unseen) > 0 || v.Compared == 0 && v.Planned > 1:
		tc.Error = &junit.Result{Message: view.Brief(view.Visible(v.Reason), maxMessage), Type: string(term.Unknown)}
	}
	return tc
}

// told writes sentences, one a line, as many as a case has room for.
func told(sentences []string) string {
	lines := make([]string, min(len(sentences), maxTold))
	for i := range lines {
		lines[i] = view.Brief(sentences[i], maxSentence)
	}
	return strings.Join(append(lines, view.Further(len(sentences), maxTold)...), "\n")
}
