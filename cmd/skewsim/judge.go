package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/reports/gather"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/rundir"
)

func newJudge(a *App) *cobra.Command {
	var scenario string
	c := &cobra.Command{
		Use:   "judge DIR",
		Short: "Judge a run directory again",
		Long: `judge reads the history and the schemas in a run directory and rewrites result.json and
ledger.json. It needs no server, cache or network, and writes the same bytes for every
copy of the directory.

It compares the findings with the key expect that the run recorded. With --scenario it
uses the key expect of a file, such as the scenario after you edited it, and rewrites the
reports too. The plan of that file must be the plan of the run.`,
		Example: `  skewsim judge out/emptydir-mode
  skewsim judge out/my-field --scenario my-field.yaml`,
		Args: Exactly(1, "one run directory"),
		RunE: func(_ *cobra.Command, args []string) error { return runJudge(a, args[0], scenario) },
	}
	a.ImpactsFlag(c)
	scenarioFlag(c, &scenario)
	return c
}

func runJudge(a *App, dir, scenario string) error {
	if err := fault.ByUser(gather.RunDirectory(dir)); err != nil {
		return err
	}
	if rundir.IsChain(dir) {
		if scenario != "" {
			return ofNoChain(dir)
		}
		return judgeChain(a.Out, dir, a.AllowsImpacts())
	}
	r, err := reports.Judge(dir, scenario)
	if err != nil {
		return err
	}
	files := []map[string]reports.Writer{reports.Judgements()}
	if scenario != "" { // which the reports are to agree with
		r.AllowImpacts = a.AllowsImpacts()
		files = append(files, reports.Drawings())
	}
	if err := reports.WriteRun(dir, r, files...); err != nil {
		return err
	}
	if err := reports.Text(a.Out, r, screen.TextOptions(a.Out, screen.ReportPath(dir))); err != nil {
		return err
	}
	if command := judgedAnew(dir, r.Plan); command != "" && scenario == "" && r.Result.Verdict != term.Pass {
		fmt.Fprintf(a.Out, "judged with the key expect that the run recorded; with that of an edited file: %s\n", command)
	}
	return ErrorOf(r.Result.Verdict)
}
