package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/rundir"
)

// aboutRun is what run says of itself.
const aboutRun = `run plays a scenario: it starts replicas of both releases on one embedded etcd,
moves them through the journey, lets clients act at every stage, records every
request, answer and stored byte, and judges the record.

Builds that are named as frobber@X.Y are the reference server's, which comes with
skewsim. Builds that are named as kube-apiserver@vX.Y.Z are compiled from the
release's Go module on first use (some minutes) and cached in $SKEWSIM_CACHE, else
in the user's cache directory; kube-apiserver@vX.Y is the newest patch that is built,
else that can be had. Of a release that only the scenario's file names another patch
serves where it cannot be had, which the notes tell. A scenario's name may be followed by that of a twin
(add-field+required): the same scenario is played with a new release that was
made with a mistake, which fails it. --out holds everything the run leaves: report.html,
result.json, ledger.json, history.jsonl, plan.txt, junit.xml, report.md,
schemas/ and logs/. history.jsonl holds objects as they were, Secrets too: it
is not for publishing.

Several names, or a pattern of names ('frobber/*'), are played side by side, as
many at once as there are cores: a line for each as it ends, then how long each
took. Those of equal builds, options, replicas and roll-outs share one journey, of
one fleet of servers over one store, in a namespace each; one that does not pass in
company is played again alone, and that counts. --isolate plays each alone. Each has
its directory below --out (default out), with all that run would have printed in
run.txt. The exit code is the worst: 1 where one is not what its scenario expects,
else 3 where one could not be judged, else 2, else 1 where one found impacts and its
scenario has no key expect (0 with --impacts allow).`

const runExamples = `  skewsim run add-field
  skewsim run add-field+required
  skewsim run emptydir-mode
  skewsim run 'frobber/*' --out out/frobber
  skewsim run quiet --pair kube-apiserver@v1.36.3..v1.37.0 --out /tmp/quiet
  skewsim run ./my-field.yaml --old kube-apiserver@v1.36.3 --new path:./_output/bin/kube-apiserver`

// runFlags are the flags of run.
type runFlags struct {
	// Request has the flags that say what is run. Its scenario is found later.
	engine.Request
	drawn cliflags.Orders
	quiet bool
	jobs  int // how many journeys at once; 0: as many as cores
	// jobsGiven: the user says so
	jobsGiven bool
	isolate   bool
}

func newRun(a *app) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run SCENARIO...",
		Short: "Play a scenario on real servers and judge what happened",
		Long:  aboutRun, Example: runExamples,
		Args: atLeastOne("scenarios (files, or names from skewsim list)"),
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
	a.impactsFlag(c)
	cliflags.Pair(flags, &f.Request)
	cliflags.Chain(flags, &f.Chain)
	cliflags.Options(flags, &f.Options)
	cliflags.Seed(c.Flags(), &f.Seed)
	f.drawn.Register(flags)
	flags.StringVarP(&f.Dir, "out", "o", "", "the run `directory` (default out/<scenario>, or out/<scenario>+<twin>); an earlier run there is replaced; of several scenarios the directory that theirs are in")
	flags.IntVarP(&f.jobs, "jobs", "j", 0, "of several scenarios, play so `many` journeys at once (default: as many as there are cores)")
	flags.BoolVar(&f.isolate, "isolate", false, "of several scenarios, play each on servers and a store of its own, also where they could share them")
	cliflags.Store(flags, &f.Store)
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show stages and servers, not each operation")
	flags.DurationVar(&f.Timeout, "timeout", 30*time.Minute, "give up after this long, builds apart")
	return c
}

// runOne is the main job, from the scenario's name to the exit code.
func runOne(ctx context.Context, a *app, name string, f runFlags) error {
	if f.jobsGiven {
		return usage(fmt.Errorf("--jobs: is of several scenarios, and this plays one, %s: leave it out", name))
	}
	if f.isolate {
		return usage(fmt.Errorf("--isolate: is of several scenarios, and this plays one, %s: leave it out", name))
	}
	if err := f.Check(); err != nil {
		return usage(err)
	}
	t, err := campaign.PrepareOne(ctx, a.builds(), name, f.Request)
	if err != nil {
		return usage(err)
	}
	if err := rundir.Check(t.Run.Dir); err != nil {
		return err
	}
	if err := engine.Reachable(ctx, a.builds(), f.Store); err != nil {
		return err
	}
	return errorOfRun(a.campaign(f.quiet).Once(ctx, t, func(note string) engine.Events {
		fmt.Fprint(a.out, note)
		return a.screen(a.out, a.err, f.quiet)
	}).Outcome)
}

// Check tells what is wrong with the flags, whatever is played.
func (f *runFlags) Check() (err error) {
	if f.Orders, err = f.drawn.Parse(); err != nil {
		return err
	}
	return f.Request.Check()
}
