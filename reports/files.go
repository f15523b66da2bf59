package reports

import (
	"io"

	"github.com/skewsim/skewsim/sim/result"
)

// MergedPage is the page of several runs, MergedData the same as data.
const (
	MergedPage = "index.html"
	MergedData = "merged.json"
)

// MergedFile is a file about several runs.
type MergedFile struct {
	Name  string
	Write func(io.Writer, result.Merged, []result.Source) error
}

// MergedFiles are all files that merge leaves in a directory. The page comes after the data
// that says whose page it is, so that a merge which was killed leaves no page of unknown
// origin.
func MergedFiles(allowImpacts bool) []MergedFile {
	of := func(write func(io.Writer, result.Merged) error) func(io.Writer, result.Merged, []result.Source) error {
		return func(w io.Writer, m result.Merged, _ []result.Source) error { return write(w, m) }
	}
	return []MergedFile{
		{MergedData, of(MergedJSON)}, {MergedPage, of(MergedHTML)}, {"report.md", of(MergedMarkdown)},
		{"junit.xml", func(w io.Writer, _ result.Merged, sources []result.Source) error {
			return MergedJUnit(w, sources, allowImpacts)
		}},
	}
}
