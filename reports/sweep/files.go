package sweep

import (
	"fmt"
	"io"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/sim/sweep"
)

// Options are the options of the formats.
type Options struct {
	// FailOn decides which rows are failures.
	FailOn sweep.Gate
	// Color and Width are the terminal's; Width is 0 if it is unknown. Only Text reads them.
	Color bool
	Width int
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

// JSON writes sweep.json. A list without items is written as [], which is easier to read than
// null.
func JSON(w io.Writer, r sweep.Result, _ Options) error {
	filled(&r.Laps)
	filled(&r.Rows)
	filled(&r.Totals.Reasons)
	filled(&r.NotCompared)
	filled(&r.Mismatches)
	filled(&r.Notes)
	if r.Baseline != nil {
		b := *r.Baseline // the caller's stays as it is
		filled(&b.Changes)
		r.Baseline = &b
	}
	return view.WriteJSON(w, Data, r)
}

func filled[T any](s *[]T) {
	if *s == nil {
		*s = []T{}
	}
}

// written writes a whole file at once.
func written(w io.Writer, name string, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("%s: write: %w", name, err)
	}
	return nil
}
