package preflight

import (
	"fmt"
	"io"
	"slices"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/sim/preflight"
)

// Options are the options of the formats.
type Options struct {
	// Color and Width are the terminal's; Width is 0 if it is unknown. Only Text reads them.
	Color bool
	Width int
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

// JSON writes preflight.json. A list without items is written as [], which is easier to read than
// null.
func JSON(w io.Writer, r preflight.Result, _ Options) error {
	filled(&r.Source.CannotSee)
	filled(&r.Source.Removed)
	filled(&r.Source.Skipped)
	r.Hops = slices.Clone(r.Hops) // the caller's stay as they are
	filled(&r.Hops)
	for i := range r.Hops {
		h := &r.Hops[i]
		filled(&h.Answers)
		filled(&h.PointOfNoReturn)
		filled(&h.Gates)
		filled(&h.Defaulted)
		filled(&h.Kinds)
		filled(&h.Findings)
		filled(&h.Baseline)
		filled(&h.Phases)
		if h.Written == nil {
			h.Written = map[string]int{}
		}
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
