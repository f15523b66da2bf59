package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/rundir"
)

// aboutRun is the long help text of run.
const aboutRun = `run executes a scenario: it starts replicas of both releases on one embedded etcd,
rolls them through the journey, lets clients act at every stage, records every request,
response and stored byte, and judges the record.

frobber@X.Y is a release of the reference server, which comes with skewsim.
kube-apiserver@vX.Y.Z is compiled from the release's Go module on first use (some minutes)
and cached in $SKEWSIM_CACHE, or in the user's cache directory. kube-apiserver@vX.Y is the
newest patch that is built, or else the newest that is available. If a release that only
the scenario file names is not available, another patch of its minor release is the
substitute, and the notes report it.

NAME+MUTANT (add-field+required) runs the same scenario with a mutant: a new release with
a deliberate mistake, which makes the scenario fail.

--out holds everything that the run writes: report.html, result.json, ledger.json,
history.jsonl.zst, plan.txt, junit.xml, report.md, schemas/ and logs/. history.jsonl.zst contains
complete objects, including Secrets: do not publish it.

Several names, or a pattern of names ('frobber/*'), run side by side, as many at once as
there are cores: run prints a line as each ends, then how long each took. Scenarios with
the same builds, options, replicas and roll-outs form a shared run: one fleet of servers
on one store, and a namespace for each scenario. A scenario that does not pass in a shared
run is repeated alone, and that outcome counts. --isolate executes each alone. Each
scenario has its own directory below --out (default out), with its output in run.txt. The
exit code is the worst: 1 if a run is not as its scenario expects, else 3 if a run could
not be judged, else 2, else 1 if a run found impacts and its scenario has no key expect
(0 with --impacts allow).`

const runExamples = `  skewsim run add-field
  skewsim run add-field+required
  skewsim run emptydir-mode
  skewsim run 'frobber/*' --out out/frobber
  skewsim run quiet --pair kube-apiserver@v1.36.3..v1.37.0 --out /tmp/quiet
  skewsim run ./my-field.yaml --old kube-apiserver@v1.36.3 --new path:./_output/bin/kube-apiserver`

// runFlags are the flags of run.
type runFlags struct {
	// Request holds the flags that select the run. Its scenario is set later.
	engine.Request
	drawn cliflags.Orders
	quiet bool
	jobs  int // how many runs at once; 0: as many as cores
	// jobsGiven reports whether the user gives --jobs.
	jobsGiven bool
	isolate   bool
}

func newRun(a *App) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run SCENARIO...",
		Short: "Run a scenario on real servers and judge what happened",
		Long:  aboutRun, Example: runExamples,
		Args: AtLeastOne("scenarios (files, or names from skewsim list)"),
		ValidArgsFunction: func(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
			return completeScenario(c, nil, begun) // as many as one likes
		},
		RunE: func(c *cobra.Command, args []string) error {
			f.drawn.Given(c.Flags())
			f.jobsGiven = c.Flags().Changed("jobs")
			if len(args) > 1 || campaign.IsPattern(args[0]) {
				return runSeveral(c.Context(), a, args, f)
			}
			return runOne(c.Context(), a, args[0], f)
		},
	}
	flags := c.Flags()
	a.ImpactsFlag(c)
	cliflags.Pair(flags, &f.Request)
	cliflags.Chain(flags, &f.Chain)
	cliflags.Options(flags, &f.Options)
	cliflags.Seed(c.Flags(), &f.Seed)
	f.drawn.Register(flags)
	flags.StringVarP(&f.Dir, "out", "o", "", "output `directory`; replaces an earlier run (default: out/<scenario> or out/<scenario>+<mutant>); for several scenarios, the parent of their directories (default: out)")
	flags.IntVarP(&f.jobs, "jobs", "j", 0, "for several scenarios, `number` of runs to execute in parallel (default: number of cores)")
	flags.BoolVar(&f.isolate, "isolate", false, "for several scenarios, execute each on its own servers and store, never in a shared run")
	cliflags.Store(flags, &f.Store)
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show stages and servers, not each operation")
	flags.DurationVar(&f.Timeout, "timeout", 30*time.Minute, "time limit, without builds")
	return c
}

// runOne runs one scenario, and returns the error that gives the exit code.
func runOne(ctx context.Context, a *App, name string, f runFlags) error {
	if f.jobsGiven {
		return fault.ByUser(fmt.Errorf("--jobs: requires several scenarios, got one, %s: leave it out", name))
	}
	if f.isolate {
		return fault.ByUser(fmt.Errorf("--isolate: requires several scenarios, got one, %s: leave it out", name))
	}
	if err := f.Check(); err != nil {
		return fault.ByUser(err)
	}
	t, err := campaign.PrepareOne(ctx, a.Builds(), name, f.Request)
	if err != nil {
		return fault.ByUser(err)
	}
	if err := rundir.Check(t.Run.Dir); err != nil {
		return err
	}
	if err := engine.Reachable(ctx, a.Builds(), f.Store); err != nil {
		return err
	}
	return ErrorOfRun(runnerOf(a, f.quiet).Once(ctx, t, func(note string) engine.Events {
		fmt.Fprint(a.Out, note)
		return a.Screen(a.Out, a.Err, f.quiet)
	}).Outcome)
}

// Check returns an error for flags that are not valid for any scenario.
func (f *runFlags) Check() (err error) {
	if f.Orders, err = f.drawn.Parse(); err != nil {
		return err
	}
	return f.Request.Check()
}
