package reports

import (
	"errors"
	"io"
	"maps"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/result"
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

// WriteChain writes the files that a chain has above its legs.
func WriteChain(dir string, v chain.Verdict, allowImpacts bool) error {
	return errors.Join(
		rundir.WriteFile(dir, rundir.ChainFile, func(w io.Writer) error { return ChainJSON(w, v) }),
		rundir.WriteFile(dir, "junit.xml", func(w io.Writer) error { return ChainJUnit(w, v, allowImpacts) }),
		rundir.WriteFile(dir, "chain.txt", func(w io.Writer) error { return ChainText(w, v, TextOptions{}) }),
	)
}

// Judge judges the run in a directory again. scenario is as of rundir.Judge. The run is
// complete also where the error says that not all of its history could be read. An earlier result of a
// directory that cannot be judged becomes unknown: see Refuse.
func Judge(dir, scenario string) (Run, error) {
	j, err := rundir.Judge(dir, scenario)
	if err != nil {
		return Run{}, errors.Join(err, Refuse(dir, err))
	}
	r := New(j.History, j.Result, j.Ledger)
	return r, j.History.Err()
}

// WriteJudged writes the sets of files of a run that was judged, and returns what they show.
// With allowImpacts impacts are no failure in junit.xml. The run is complete also where the
// error says that a file could not be written.
func WriteJudged(j rundir.Judged, allowImpacts bool, sets ...map[string]Writer) (Run, error) {
	r := New(j.Judgement.History, j.Judgement.Result, j.Judgement.Ledger)
	r.AllowImpacts = allowImpacts
	return r, WriteRun(j.Dir, r, sets...)
}

// Rejudged returns a function that writes the sets of files of a run that was judged again.
func Rejudged(allowImpacts bool, sets ...map[string]Writer) func(rundir.Judged) (result.Result, error) {
	return func(j rundir.Judged) (result.Result, error) {
		r, err := WriteJudged(j, allowImpacts, sets...)
		return r.Result, err
	}
}
