package reports

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// MergedJSON writes merged.json.
func MergedJSON(w io.Writer, m result.Merged) error {
	filled(&m.Runs)
	filled(&m.Notes)
	return writeJSON(w, "merged.json", m)
}

// MergedJUnit writes the junit.xml of several runs: each is a suite, in the order of
// Merged.Runs. One that was not played, or could not be read, is an error, never a pass.
// Impacts fail no case where they are allowed.
func MergedJUnit(w io.Writer, sources []result.Source, allowImpacts bool) error {
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
		suite := junit.Testsuite{Name: visible(withPair(run))}
		tc := junit.Testcase{Name: "result.json", Classname: className(suite.Name),
			Error: &junit.Result{Message: visible(run.Reason), Type: string(term.Unknown)}}
		if run.Unplayed != "" {
			tc.Name = "verdict"
		}
		suite.AddTestcase(tc)
		addTried(&suite, run)
		return suite
	}
	report := firstOf(reportLink(run), reportFile)
	suite := checkedSuite(sealResult(s.Result), report, allowImpacts)
	suite.Name = visible(withPair(run))
	if len(s.Result.Checks) == 0 {
		suite.AddTestcase(verdictCase(s.Result, report, allowImpacts))
	}
	for i := range suite.Testcases {
		suite.Testcases[i].Classname = className(suite.Name)
	}
	suite.AddProperty("run", visible(s.Path))
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
	suite.AddProperty("attempts", visible(run.Tried))
	suite.SystemOut = &junit.Output{Data: triedWords + visible(run.Tried)}
}

// verdictCase is what a run without checks, such as a chain, came to.
func verdictCase(res result.Result, report string, allowImpacts bool) junit.Testcase {
	tc := junit.Testcase{Name: "verdict"}
	told := &junit.Result{Message: brief(visible(res.Reason), mostMessage), Type: string(res.Verdict), Data: sentences(unexpected(res.Findings), report)}
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

// mergedStyle is the page's own; the rest it has of report.html.
var mergedStyle = joined("merge.css")

// mergedPage is what merge.html draws.
type mergedPage struct {
	result.Merged
	Failed, Impacted, Unjudged, Tried []result.MergedRun
	Grids                             []mergedGrid
	Style                             template.CSS
	Policy                            string
}

// mergedGrid is the runs of one component: a row for each scenario, a column for each pair.
type mergedGrid struct {
	Component string
	Pairs     []string
	Rows      []mergedRow
	// Dense has the pairs' names stand upright, and cells show signs alone to the eye.
	Dense bool
}

type mergedRow struct {
	Scenario string
	Cells    [][]result.MergedRun // one for each pair; what was not played has none
}

// mostWide is how many pairs have room for their names beside each other.
const mostWide = 6

// MergedHTML writes index.html of several runs: one file, without a script, whose
// links lead to the runs' own reports.
func MergedHTML(w io.Writer, m result.Merged) error {
	page := mergedPage{Merged: m, Style: template.CSS(style + mergedStyle)} //nolint:gosec // ours
	page.Policy = fmt.Sprintf("default-src 'none'; style-src %s; base-uri 'none'; form-action 'none'", hashOf(string(page.Style)))
	for _, r := range m.Runs {
		switch r.Verdict {
		case term.Pass:
		case term.Fail:
			page.Failed = append(page.Failed, r)
		case term.Impacts:
			page.Impacted = append(page.Impacted, r)
		default:
			page.Unjudged = append(page.Unjudged, r)
		}
	}
	page.Tried = triedRuns(m.Runs)
	page.Grids = mergedGrids(m.Runs)
	var drawn bytes.Buffer
	if err := pages.ExecuteTemplate(&drawn, "merge.html", page); err != nil {
		return fmt.Errorf("index.html: draw: %w", err)
	}
	if _, err := w.Write(drawn.Bytes()); err != nil {
		return fmt.Errorf("index.html: write: %w", err)
	}
	return nil
}

// triedRuns are those that the machine has ended, once at least.
func triedRuns(runs []result.MergedRun) (all []result.MergedRun) {
	for _, r := range runs {
		if r.Tried != "" {
			all = append(all, r)
		}
	}
	return all
}

// mergedGrids lays the runs out, each component's apart. Those of which nobody knows what
// they are have no place in one.
func mergedGrids(runs []result.MergedRun) (all []mergedGrid) {
	for _, r := range runs {
		if r.Pair == "" {
			continue
		}
		if len(all) == 0 || all[len(all)-1].Component != r.Component {
			all = append(all, mergedGrid{Component: r.Component})
		}
		all[len(all)-1].add(r)
	}
	for i := range all {
		all[i].Dense = len(all[i].Pairs) > mostWide
		for j := range all[i].Rows {
			row := &all[i].Rows[j]
			row.Cells = append(row.Cells, make([][]result.MergedRun, len(all[i].Pairs)-len(row.Cells))...)
		}
	}
	return all
}

// add places a run. Runs come pair by pair, so that a new pair is the last.
func (g *mergedGrid) add(r result.MergedRun) {
	column := slices.Index(g.Pairs, r.Pair)
	if column < 0 {
		column = len(g.Pairs)
		g.Pairs = append(g.Pairs, r.Pair)
	}
	name := gridName(r)
	at := slices.IndexFunc(g.Rows, func(row mergedRow) bool { return row.Scenario == name })
	if at < 0 {
		at = len(g.Rows)
		g.Rows = append(g.Rows, mergedRow{Scenario: name})
	}
	row := &g.Rows[at]
	for len(row.Cells) <= column {
		row.Cells = append(row.Cells, nil)
	}
	row.Cells[column] = append(row.Cells[column], r)
}

// gridName is the scenario with its twin: what two runs in one cell share.
func gridName(r result.MergedRun) string {
	if r.Twin == nil {
		return r.Scenario
	}
	return r.Scenario + "+" + r.Twin.Name
}

// apart is what tells a run from the others in its cell; "" where it is alone.
func apart(r result.MergedRun) string {
	return strings.TrimPrefix(strings.TrimPrefix(r.Name, gridName(r)), ", ")
}

// reportLink is the address of a run's report, from the page that links to it. What
// means something in an address is escaped, and a path is never taken for a scheme.
func reportLink(r result.MergedRun) string {
	if r.Report == "" {
		return ""
	}
	return (&url.URL{Path: path.Clean(r.Report)}).String()
}
