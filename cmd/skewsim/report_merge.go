package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/reports/gather"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/result"
)

func newMerge(a *App) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "merge DIR...",
		Short: "Draw several runs on one page, including runs from other machines",
		Long: `merge reads the result.json of every run in, or below, the directories and writes
index.html (a grid of pairs and scenarios with verdicts and links to each report.html),
report.md (for a job's summary), merged.json and junit.xml. It judges and copies nothing:
for runs from other machines, result.json and report.html are enough. The order of the
directories does not matter.

A run without a readable result.json appears as unknown. For a directory with a
matrix.json, merge includes exactly the cells that it lists, executed or not. If shards of
a matrix are missing, the matrix is unknown.

Exit codes: 0 every run passed; 1 a run failed, or found only impacts (0 with --impacts
allow); 2 bad flags, or a missing directory; 3 a run could not be judged or read.`,
		Example: `  skewsim report merge out
  skewsim report merge shard-1 shard-2 -o merged`,
		Args:              AtLeastOne("directories that hold runs"),
		ValidArgsFunction: completeDirectory,
		RunE:              func(_ *cobra.Command, args []string) error { return runMerge(a, args, out) },
	}
	a.ImpactsFlag(c)
	c.Flags().StringVarP(&out, "out", "o", filepath.Join("out", "merged"), "output `directory`; replaces an earlier merge")
	return c
}

// merge exits with the worst of the runs' verdicts.
func runMerge(a *App, dirs []string, out string) error {
	if err := areDirectories(dirs); err != nil {
		return err
	}
	at, err := openMerged(out)
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
	return VerdictError{Verdict: m.Verdict}
}

// writeMerged writes the page of the runs that were gathered, and prints its summary.
func writeMerged(a *App, out string, g *gather.Runs) (result.Merged, error) {
	m, err := writeAllMerged(out, g, a.AllowsImpacts())
	if err == nil {
		err = reports.MergedText(a.Out, m, screen.TextOptions(a.Out, filepath.Join(out, reports.MergedPage)))
	}
	return m, err
}

// areDirectories returns an error for each argument that is missing or is not a directory:
// otherwise nobody would notice a missing run.
func areDirectories(dirs []string) (err error) {
	for _, dir := range dirs {
		if _, problem := os.Stat(dir); problem != nil {
			err = errors.Join(err, fault.ByUser(fmt.Errorf("%s: %w: give directories that hold runs", dir, errors.Unwrap(problem))))
			continue
		}
		err = errors.Join(err, fault.ByUser(gather.Directory(dir)))
	}
	return err
}
