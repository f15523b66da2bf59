package run

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// mergedPage is the name of the page of several runs.
const mergedPage = "index.html"

// The rooms of the sections of a merged report.md in bytes.
const (
	roomNotPassed   = 24_000
	roomPairs       = 12_000
	roomPassed      = 12_000
	roomTried       = 4_000
	roomMergedNotes = 3_000
)

// MergedText writes the outcome of several runs for a terminal, the verdict last. ReportPath is the page.
func MergedText(w io.Writer, m result.Merged, o TextOptions) error {
	d := mergedDocument(m)
	if o.ReportPath != "" {
		d.Places = []string{"page: " + o.ReportPath}
	}
	return document.Terminal(w, d, o.TerminalOptions)
}

// MergedMarkdown writes report.md of several runs. It has no links, since there is no page beside a comment.
func MergedMarkdown(w io.Writer, m result.Merged) error {
	return document.Markdown(w, "report.md", mergedDocument(m))
}

// mergedDocument fills the document of several runs: those that did not pass, failed ones first, the
// pairs, and the runs that passed. A terminal lists only runs that did not pass.
func mergedDocument(m result.Merged) document.Document {
	d := document.Document{Verdict: verdictMark(m.Verdict), Title: m.Reason, Page: mergedPage, MaxText: maxText}
	if m.Totals.Skipped > 0 {
		d.Lead = document.Paragraphs(term.Numbered(m.Totals.Skipped, "combination") + " could not be run")
	}
	list := func(title string, room int, runs []result.MergedRun, about func(result.MergedRun) string) document.Section {
		s := document.Section{Title: fmt.Sprintf("%s: %d", title, len(runs)), Room: room, Whole: true}
		for _, r := range runs {
			s.Rows = append(s.Rows, document.Cells(runName(r), about(r)))
		}
		return s
	}
	for _, verdict := range []term.VerdictWord{term.Fail, term.Impacts, term.Unknown} {
		d.Add(list(view.Sign(verdict)+" "+string(verdict), roomNotPassed/3, runsOf(m.Runs, verdict), func(r result.MergedRun) string { return r.Reason }))
	}
	d.Add(list("ended by the machine at least once, which is no verdict", roomTried, view.TriedRuns(m.Runs), func(r result.MergedRun) string { return r.Tried }), pairs(m.Runs))
	passed := list("passed", roomPassed, runsOf(m.Runs, term.Pass), func(r result.MergedRun) string {
		return fmt.Sprintf("expected findings: %d, not played: %d", r.Findings.Expected, r.Skipped)
	})
	passed.Folded, passed.Only = true, document.InMarkdown
	d.Add(passed, document.Section{Title: fmt.Sprintf("notes: %d", len(m.Notes)), Room: roomMergedNotes, Whole: true, Rows: document.List(m.Notes)})
	return d
}

// pairs has a row for each pair, with the number of runs of each verdict.
func pairs(runs []result.MergedRun) document.Section {
	type count map[term.VerdictWord]int
	var pairs []string
	counts := map[string]count{}
	for _, r := range runs {
		if r.Pair == "" {
			continue
		}
		name := strings.TrimSpace(r.Component + " " + r.Pair)
		if counts[name] == nil {
			pairs, counts[name] = append(pairs, name), count{}
		}
		counts[name][r.Verdict]++
	}
	verdicts := []term.VerdictWord{term.Pass, term.Fail, term.Unknown}
	if len(runsOf(runs, term.Impacts)) > 0 {
		verdicts = slices.Insert(verdicts, 2, term.Impacts)
	}
	s := document.Section{Only: document.InMarkdown, Room: roomPairs, Columns: []document.Column{{Head: "pair"}}}
	for _, v := range verdicts {
		s.Columns = append(s.Columns, document.Column{Head: string(v), Right: true})
	}
	for _, pair := range pairs {
		row := document.Cells(pair)
		for _, v := range verdicts {
			row = row.With(fmt.Sprint(counts[pair][v]))
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

func runsOf(runs []result.MergedRun, verdict term.VerdictWord) (all []result.MergedRun) {
	for _, r := range runs {
		if r.Verdict == verdict {
			all = append(all, r)
		}
	}
	return all
}

// runName is the run as a list has it: its name and its pair.
func runName(r result.MergedRun) string {
	if r.Pair == "" {
		return r.Name
	}
	return r.Name + ", " + r.Pair
}

// MergedJUnit writes the junit.xml of several runs: each is a suite, in the order of Merged.Runs. A run that
// was not executed, or could not be read, is an error, never a pass. Impacts fail no case if they are allowed.
func MergedJUnit(w io.Writer, sources []result.Source, allowImpacts bool) error {
	var suites []document.Suite
	runs := result.Merge(sources).Runs
	for i, s := range result.Ordered(sources) {
		suites = append(suites, mergedSuite(s, runs[i], allowImpacts))
	}
	return document.JUnit(w, suites...)
}

// mergedSuite is a run's own suite, under a unique name.
func mergedSuite(s result.Source, run result.MergedRun, allowImpacts bool) document.Suite {
	suite := document.Suite{Page: view.ReportFile}
	if s.Problem == "" {
		report := cmp.Or(view.ReportLink(run), view.ReportFile)
		sealed := view.SealedResult(s.Result)
		suite = suiteOf(sealed, report, allowImpacts)
		if len(sealed.Checks) == 0 { // such as a chain
			tc := document.Case{Name: "verdict", Message: sealed.Reason, Text: lines(view.Unexpected(sealed.Findings), report)}
			suite.Cases = append(suite.Cases, ended(tc, sealed.Verdict, sealed.Reason, allowImpacts))
		}
		suite.Add("run", s.Path)
	} else {
		tc := document.Case{Name: "result.json"}
		if run.Unplayed != "" {
			tc.Name = "verdict"
		}
		suite.Cases = append(suite.Cases, ended(tc, term.Unknown, run.Reason, allowImpacts))
	}
	suite.Name = run.Name
	if run.Pair != "" {
		suite.Name += " (" + run.Pair + ")"
	}
	if run.Tried != "" { // a place that CI systems show, also beside a pass
		suite.Add("attempts", run.Tried)
		suite.Output = []string{"ended by the machine, which is no verdict: " + run.Tried}
	}
	return suite
}
