package junitxml

import (
	"io"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// WriteMerged writes the junit.xml of several runs: each is a suite, in the order of
// Merged.Runs. One that was not played, or could not be read, is an error, never a pass.
// Impacts fail no case where they are allowed.
func WriteMerged(w io.Writer, sources []result.Source, allowImpacts bool) error {
	var suites []junit.Testsuite
	runs := result.Merge(sources).Runs
	for i, s := range result.Ordered(sources) {
		suites = append(suites, mergedSuite(s, runs[i], allowImpacts))
	}
	return writeSuites(w, suites...)
}

// mergedSuite is a run's own suite, under a name that no other run has.
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

// withPair is a run's name with its pair, as far as it has one.
func withPair(run result.MergedRun) string {
	if run.Pair == "" {
		return run.Name
	}
	return run.Name + " (" + run.Pair + ")"
}

// triedWords say what a run's attempts are that the machine has ended.
const triedWords = "ended by the machine, which is no verdict: "

// addTried tells what of the machine has ended a run, where CI systems show it: beside a
// verdict that passed, too.
func addTried(suite *junit.Testsuite, run result.MergedRun) {
	if run.Tried == "" {
		return
	}
	suite.AddProperty("attempts", view.Visible(run.Tried))
	suite.SystemOut = &junit.Output{Data: triedWords + view.Visible(run.Tried)}
}

// verdictCase is what a run without checks, such as a chain, resulted in.
func verdictCase(res result.Result, report string, allowImpacts bool) junit.Testcase {
	tc := junit.Testcase{Name: "verdict"}
	told := &junit.Result{Message: view.Brief(view.Visible(res.Reason), mostMessage), Type: string(res.Verdict), Data: sentences(view.Unexpected(res.Findings), report)}
	switch res.Verdict {
	case term.Fail:
		tc.Failure = told
	case term.Impacts:
		tellImpacts(&tc, told, allowImpacts)
	case term.Unknown:
		tc.Error = told
	}
	return tc
}
