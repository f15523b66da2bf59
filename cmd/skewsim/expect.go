package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/reports/gather"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/rundir"
)

func newExpect(a *App) *cobra.Command {
	var merge bool
	c := &cobra.Command{
		Use:   "expect DIR",
		Short: "Print the lines of expect that fit a run",
		Long: `expect judges a run directory and prints the key expect for its scenario's file, with
lines that match what the run found: those that match most findings first. No two lines
can match the same finding, so judging such a run with them passes: put them into the
file in place of its key expect, then judge the run with skewsim judge DIR --scenario
FILE. It needs no server, cache or network, and writes nothing.

Read the lines before you use them: a line of the class violation says that a broken rule
is expected.

With --merge it keeps the scenario's own lines, with their owners and reasons, and updates
their counts. It drops lines that match nothing, have expired, or match the findings of
another line.

Exit codes: 0 the run passes with these lines; 2 it is not a run directory, or it is the
run of a mutant or an A/A run, which expect nothing; 3 the run passes with no lines: it
was interrupted, or a check was indeterminate.`,
		Example: `  skewsim expect out/my-field
  skewsim expect out/my-field --merge`,
		Args:              Exactly(1, "one run directory"),
		ValidArgsFunction: completeDirectory,
		RunE:              func(_ *cobra.Command, args []string) error { return runExpect(a, args[0], merge) },
	}
	c.Flags().BoolVar(&merge, "merge", false, "keep the scenario's own lines that match")
	return c
}

func runExpect(a *App, dir string, merge bool) error {
	if err := fault.ByUser(gather.RunDirectory(dir)); err != nil {
		return err
	}
	if rundir.IsChain(dir) {
		return fault.ByUser(fmt.Errorf("%s: is a chain: give the directory of one of its legs, below %s/legs", dir, dir))
	}
	j, err := rundir.Judge(dir, "")
	if err != nil {
		return err
	}
	switch p := j.History.Header.Plan; {
	case p.Mutant != nil:
		return fault.ByUser(fmt.Errorf("%s: is a run of the mutant %s, and expect is for the correct release: the finding that catches the mutant is under its key caught", dir, p.Mutant.Name))
	case p.AA != "":
		return fault.ByUser(fmt.Errorf("%s: is an A/A run, which expects nothing", dir))
	}
	lines, res := oracle.Propose(j.History, j.Schemas, merge)
	if err := j.History.Err(); err != nil {
		return err
	}
	if err := screen.Proposals(a.Out, lines); err != nil {
		return err
	}
	if res.Verdict == term.Pass {
		if command := judgedAnew(dir, j.History.Header.Plan); command != "" {
			fmt.Fprintf(a.Err, "put these lines into %s in place of its key expect, and judge the run with them: %s\n", j.History.Header.Plan.File, command)
		}
		return nil
	}
	return VerdictError{Verdict: term.Unknown, Ended: errors.New("the run does not pass with these lines: " + res.Reason)}
}
