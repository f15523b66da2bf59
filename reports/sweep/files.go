package sweep

import (
	"io"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/sim/sweep"
)

// Options are the options of the formats.
type Options struct {
	// FailOn decides which rows are failures.
	FailOn sweep.Gate
	// Terminal fits the summary. Only Text reads it.
	Terminal document.TerminalOptions
	// Dir is the directory that has the files; "" if none were written. Only Text reads it.
	Dir string
}

// Page is the name of the page, Data that of the same as data.
const (
	Page = "sweep.html"
	Data = "sweep.json"
)

// File is a file about a sweep.
type File struct {
	Name  string
	Write func(io.Writer, sweep.Result, Options) error
}

// Files are all files that a sweep leaves in its directory. The page comes after the data, so
// that a sweep which was killed leaves no page without its data.
func Files() []File {
	return []File{{Data, JSON}, {Page, HTML}, {"sweep.csv", CSV}, {"sweep.md", Markdown}, {"junit.xml", JUnit}}
}

// Text writes the summary for a terminal.
func Text(w io.Writer, r sweep.Result, o Options) error {
	return document.Terminal(w, documentOf(r, o), o.Terminal)
}

// Markdown writes sweep.md for the summary of a CI job or a comment on a pull request.
func Markdown(w io.Writer, r sweep.Result, o Options) error {
	return document.Markdown(w, "sweep.md", documentOf(r, o))
}

// JUnit writes junit.xml.
func JUnit(w io.Writer, r sweep.Result, o Options) error { return document.JUnit(w, suiteOf(r, o)) }

// JSON writes sweep.json.
func JSON(w io.Writer, r sweep.Result, _ Options) error {
	document.Filled(&r.Laps)
	document.Filled(&r.Rows)
	document.Filled(&r.Totals.Reasons)
	document.Filled(&r.NotCompared)
	document.Filled(&r.Mismatches)
	document.Filled(&r.Notes)
	if r.Baseline != nil {
		b := *r.Baseline // the caller's stays as it is
		document.Filled(&b.Changes)
		r.Baseline = &b
	}
	return document.WriteJSON(w, Data, r)
}
