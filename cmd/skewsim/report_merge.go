package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/reports/gather"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// removeMerged removes what merge has left in a directory.
func removeMerged(dir string) error {
	var problems []error
	for _, file := range slices.Backward(reports.MergedFiles(false)) {
		if err := os.Remove(filepath.Join(dir, file.Name)); !errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

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
		RunE:              func(_ *cobra.Command, args []string) error { return a.merge(args, out) },
	}
	a.impactsFlag(c)
	c.Flags().StringVarP(&out, "out", "o", filepath.Join("out", "merged"), "the `directory` for the page; what merge left there before is replaced")
	return c
}

// merge exits with the worst of the runs' verdicts.
func (a *app) merge(dirs []string, out string) error {
	if err := areDirectories(dirs); err != nil {
		return err
	}
	at, err := mergedDir(out)
	if err != nil {
		return err
	}
	g := gather.Into(at)
	for _, dir := range dirs {
		g.Add(dir)
	}
	g.AddAbsent()
	m, err := a.writeMerged(out, g)
	if err != nil || m.Verdict == term.Pass {
		return err
	}
	return verdictError{verdict: m.Verdict}
}

// writeMerged writes the page of the runs that were gathered, and prints it in short.
func (a *app) writeMerged(out string, g *gather.Runs) (result.Merged, error) {
	m := result.Merge(g.Sources(), g.Notes()...)
	var err error
	for _, file := range reports.MergedFiles(a.allowsImpacts()) {
		err = errors.Join(err, rundir.WriteFile(out, file.Name, func(w io.Writer) error { return file.Write(w, m, g.Sources()) }))
	}
	if err == nil {
		err = reports.MergedText(a.out, m, a.textOptions(filepath.Join(out, reports.MergedPage)))
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

// mergedDir makes the directory for the page, and returns where it really is: links
// lead from there. One with another's page, or with a run, is refused.
func mergedDir(out string) (string, error) {
	if rundir.IsRun(out) {
		return "", usage(fmt.Errorf("--out %q: it holds a run: name another directory", out))
	}
	if isThere(filepath.Join(out, reports.MergedPage)) && !isThere(filepath.Join(out, reports.MergedData)) {
		return "", usage(fmt.Errorf("--out %q: it holds an %s that merge did not write: name another directory", out, reports.MergedPage))
	}
	if err := os.MkdirAll(out, 0o700); err != nil {
		return "", usage(fmt.Errorf("--out: %w", err))
	}
	at, err := filepath.EvalSymlinks(out)
	if err != nil {
		return "", fmt.Errorf("--out: %w", err)
	}
	return filepath.Abs(at)
}
