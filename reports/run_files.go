package reports

import (
	"io"
	"maps"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/sim/rundir"
)

// Writer writes one file about a run.
type Writer func(io.Writer, Run) error

// Judgements returns the files of a run directory with the oracle's result, by name.
func Judgements() map[string]Writer {
	return map[string]Writer{
		"result.json": func(w io.Writer, r Run) error { return JSON(w, r.Result) },
		"ledger.json": func(w io.Writer, r Run) error { return LedgerJSON(w, r.Ledger) },
	}
}

// Drawings returns the files of a run directory for people, forges and CI systems, by name.
func Drawings() map[string]Writer {
	return map[string]Writer{"report.html": HTML, "report.md": Markdown, "junit.xml": JUnit}
}

// WriteRun writes files of a run directory, except those in without. r is what New or
// Sealed returned.
func WriteRun(dir string, r Run, sets ...map[string]Writer) error {
	if len(sets) == 0 {
		sets = []map[string]Writer{Judgements(), Drawings()}
	}
	files := map[string]Writer{}
	for _, set := range sets {
		maps.Copy(files, set)
	}
	var group errgroup.Group
	for name, content := range files {
		group.Go(func() error {
			return rundir.WriteFile(dir, name, func(w io.Writer) error { return content(w, r) })
		})
	}
	return group.Wait()
}
