package reports

import (
	"io"

	"github.com/skewsim/skewsim/reports/page"
	"github.com/skewsim/skewsim/reports/prr"
	"github.com/skewsim/skewsim/reports/run"
	sweepreports "github.com/skewsim/skewsim/reports/sweep"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/sweep"
)

// Run is everything that a report of one run draws.
type Run = view.Run

// TextOptions are the options of a summary on a terminal.
type TextOptions = run.TextOptions

// Measured is what one run contributes to a production readiness review.
type Measured = prr.Measured

// New returns a Run from a history, and from the oracle's result. Its Result and Ledger
// have no values of Secrets: write those.
func New(h *history.History, res result.Result, ledger result.Ledger) Run {
	return view.New(h, res, ledger)
}

// HTML writes report.html.
func HTML(w io.Writer, r Run) error { return page.Write(w, r) }

// Markdown writes report.md, for a comment on a pull request or the summary of a CI job.
func Markdown(w io.Writer, r Run) error { return run.Markdown(w, r) }

// JUnit writes junit.xml: a suite, and a case for each check.
func JUnit(w io.Writer, r Run) error { return run.JUnit(w, r) }

// Text writes the summary that follows a run on the terminal.
func Text(w io.Writer, r Run, opts TextOptions) error { return run.Text(w, r, opts) }

// Measure takes from a run what PRR needs, so that the run itself can be released.
func Measure(r Run) Measured { return prr.Measure(r) }

// PRR answers the production readiness questions of a KEP from several runs.
func PRR(w io.Writer, runs []Measured, notes ...string) error { return prr.Write(w, runs, notes...) }

// ChainText writes the summary of a chain. Options.ReportPath is the chain's directory.
func ChainText(w io.Writer, v chain.Verdict, opts TextOptions) error {
	return run.ChainText(w, v, opts)
}

// ChainJUnit writes a chain's junit.xml. Impacts fail no case where they are allowed.
func ChainJUnit(w io.Writer, v chain.Verdict, allowImpacts bool) error {
	return run.ChainJUnit(w, v, allowImpacts)
}

// MergedHTML writes index.html of several runs.
func MergedHTML(w io.Writer, m result.Merged) error { return page.WriteMerged(w, m) }

// MergedMarkdown writes report.md of several runs.
func MergedMarkdown(w io.Writer, m result.Merged) error { return run.MergedMarkdown(w, m) }

// MergedText writes the outcome of several runs for a terminal. Options.ReportPath is the
// page.
func MergedText(w io.Writer, m result.Merged, opts TextOptions) error {
	return run.MergedText(w, m, opts)
}

// MergedJUnit writes the junit.xml of several runs. Impacts fail no case where they are allowed.
func MergedJUnit(w io.Writer, sources []result.Source, allowImpacts bool) error {
	return run.MergedJUnit(w, sources, allowImpacts)
}

// SweepOptions are the options of the formats of a sweep.
type SweepOptions = sweepreports.Options

// SweepFile is a file about a sweep.
type SweepFile = sweepreports.File

// SweepFiles are all files that a sweep leaves in its directory: its data first, then its page.
func SweepFiles() []SweepFile { return sweepreports.Files() }

// SweepText writes the summary of a sweep for a terminal. Options.Dir is the sweep's directory.
func SweepText(w io.Writer, r sweep.Result, o SweepOptions) error {
	return sweepreports.Text(w, r, o)
}
