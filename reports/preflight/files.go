package preflight

import (
	"io"
	"slices"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/sim/preflight"
)

// Options are the options of the formats.
type Options struct {
	// Terminal fits the summary. Only Text reads it.
	Terminal document.TerminalOptions
	// Dir is the directory that has the files; "" if none were written. Only Text reads it.
	Dir string
}

// Page is the name of the page, Data that of the same as data.
const (
	Page = "preflight.html"
	Data = "preflight.json"
)

// File is a file about a preflight.
type File struct {
	Name  string
	Write func(io.Writer, preflight.Result, Options) error
}

// Files are all files that a preflight leaves in its directory. The page comes after the data, so
// that a preflight which was killed leaves no page without its data.
func Files() []File {
	return []File{{Data, JSON}, {Page, HTML}, {"preflight.md", Markdown}, {"junit.xml", JUnit}}
}

// Text writes the summary for a terminal.
func Text(w io.Writer, r preflight.Result, o Options) error {
	return document.Terminal(w, documentOf(r, o), o.Terminal)
}

// Markdown writes preflight.md for the summary of a CI job or a comment on a pull request.
func Markdown(w io.Writer, r preflight.Result, o Options) error {
	return document.Markdown(w, "preflight.md", documentOf(r, o))
}

// JUnit writes junit.xml.
func JUnit(w io.Writer, r preflight.Result, _ Options) error {
	return document.JUnit(w, suitesOf(r)...)
}

// JSON writes preflight.json.
func JSON(w io.Writer, r preflight.Result, _ Options) error {
	document.Filled(&r.Source.CannotSee)
	document.Filled(&r.Source.Removed)
	document.Filled(&r.Source.Skipped)
	r.Hops = slices.Clone(r.Hops) // the caller's stay as they are
	document.Filled(&r.Hops)
	for i := range r.Hops {
		h := &r.Hops[i]
		document.Filled(&h.Answers)
		document.Filled(&h.PointOfNoReturn)
		document.Filled(&h.Gates)
		document.Filled(&h.Defaulted)
		document.Filled(&h.Kinds)
		document.Filled(&h.Findings)
		document.Filled(&h.Baseline)
		document.Filled(&h.Phases)
		if h.Written == nil {
			h.Written = map[string]int{}
		}
	}
	return document.WriteJSON(w, Data, r)
}
