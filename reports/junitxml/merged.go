package junitxml

import (
	"io"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// WriteMerged writes the junit.xml of several runs: each is a suite, in the order of
// Merged.Runs. A run that was not executed, or could not be read, is an error, never a
// pass. Impacts fail no case if they are allowed.
func WriteMerged(w io.Writer, sources []result.Source, allowImpacts bool) error {
	var suites []junit.Testsuite
	runs := result.Merge(sources).Runs
	for i, s := range result.Ordered(sources) {
		suites = append(suites, mergedSuite(s, runs[i], allowImpacts))
	}
	return writeSuites(w, suites...)
}

// mergedSuite returns a run's own suite, under a unique name.
func mergedSuite(s result.Source, run result.MergedRun, allowImpacts bool) junit.Testsuite {
	if s.Problem != "" {
		suite := junit.Testsuite{Name: view.Visible(withPair(run))}
		tc := junit.Testcase{Name: "result.json", Classname: className(suite.Name),
			Error: &junit.Result{Message: view.Visible(run.Reason), Type: string(term.Unknown)}}
		if run.Unplayed != "" {
			tc.Name = "verdict"
		}
		suite.AddTestcase(tc)
		addTried(&suite, run)
		return suite
	}
	report := view.FirstOf(view.ReportLink(run), view.ReportFile)
	suite := checkedSuite(view.SealedResult(s.Result), report, allowImpacts)
	suite.Name = view.Visible(withPair(run))
	if len(s.Result.Checks) == 0 {
		suite.AddTestcase(verdictCase(s.Result, report, allowImpacts))
	}
	for i := range suite.Testcases {
		suite.Testcases[i].Classname = className(suite.Name)
	}
	suite.AddProperty("run", view.Visible(s.Path))
	addTried(&suite, run)
	return suite
}

// withPair returns a run's name with its pair, if known.
func withPair(run result.MergedRun) string {
	if run.Pair == "" {
		return run.Name
	}
	return run.Name + " (" + run.Pair + ")"
}

// triedWords describe a run's attempts that an infrastructure failure ended.
const triedWords = "ended by the machine, which is no verdict: "

// addTried adds a run's infrastructure failures to a place that CI systems show, also
// beside a pass.
func addTried(suite *junit.Testsuite, run result.MergedRun) {
	if run.Tried == "" {
		return
	}
	suite.AddProperty("attempts", view.Visible(run.Tried))
	suite.SystemOut = &junit.Output{Data: triedWords + view.Visible(run.Tried)}
}

// verdictCase returns the case of a run without checks, such as a chain.
func verdictCase(res result.Result, report string, allowImpacts bool) junit.Testcase {
	tc := junit.Testcase{Name: "verdict"}
	told := &junit.Result{Message: view.Brief(view.Visible(res.Reason), maxMessage), Type: string(res.Verdict), Data: sentences(view.Unexpected(res.Findings), report)}
	switch res.Verdict {
	case term.Fail:
		tc.Failure = told
	case term.Impacts:
		reportImpacts(&tc, told, allowImpacts)
	case term.Unknown:
		tc.Error = told
	}
	return tc
}
