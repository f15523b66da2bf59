package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/reports/gather"
	"github.com/skewsim/skewsim/reports/merge"
	"github.com/skewsim/skewsim/reports/screen"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

func newMerge(a *app) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "merge DIR...",
		Short: "Draw several runs on one page, also those of other machines",
		Long: `merge reads the result.json of every run in, or below, the directories and writes
index.html (a grid of pairs and scenarios: each cell its verdict, with a link to the
run's report.html), report.md (for a job's summary), merged.json and junit.xml. It judges nothing again and copies
nothing: where the runs come from other machines, result.json and report.html are
enough. It does not matter in which order they are given.

A run without a result.json that can be read has its place on the page, as unknown.
Of a directory with a matrix.json the cells count that this names, also those that were
not played, and no other run; a shard without the others of its matrix is unknown.

Exit codes: 0 every run passed; 1 one failed, or found impacts only (0 with --impacts
allow); 2 bad flags, or a directory that is not there; 3 one could not be judged, or read.`,
		Example: `  skewsim report merge out
  skewsim report merge shard-1 shard-2 -o merged`,
		Args:              atLeastOne("directories that hold runs"),
		ValidArgsFunction: completeDirectory,
		RunE:              func(_ *cobra.Command, args []string) error { return runMerge(a, args, out) },
	}
	a.impactsFlag(c)
	c.Flags().StringVarP(&out, "out", "o", filepath.Join("out", "merged"), "the `directory` for the page; what merge left there before is replaced")
	return c
}

// merge exits with the worst of the runs' verdicts.
func runMerge(a *app, dirs []string, out string) error {
	if err := areDirectories(dirs); err != nil {
		return err
	}
	at, err := merge.Open(out)
	if err != nil {
		return err
	}
	g := gather.Into(at)
	for _, dir := range dirs {
		g.Add(dir)
	}
	g.AddAbsent()
	m, err := writeMerged(a, out, g)
	if err != nil || m.Verdict == term.Pass {
		return err
	}
	return verdictError{verdict: m.Verdict}
}

// writeMerged writes the page of the runs that were gathered, and prints its summary.
func writeMerged(a *app, out string, g *gather.Runs) (result.Merged, error) {
	m, err := merge.Write(out, g, a.allowsImpacts())
	if err == nil {
		err = reports.MergedText(a.out, m, screen.TextOptions(a.out, filepath.Join(out, reports.MergedPage)))
	}
	return m, err
}

// areDirectories refuses what is none, or not there: of a run that is missing nobody
// would know.
func areDirectories(dirs []string) (err error) {
	for _, dir := range dirs {
		if _, problem := os.Stat(dir); problem != nil {
			err = errors.Join(err, usage(fmt.Errorf("%s: %w: give directories that hold runs", dir, errors.Unwrap(problem))))
			continue
		}
		err = errors.Join(err, isDirectory(dir))
	}
	return err
}
