package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/campaign"
)

// aboutPlan is the long help text of plan.
const aboutPlan = `plan prints the numbered tree of everything that run would do: the stages, the release
that each replica runs, and each operation with its client, verb and copy. It starts no
server: it reports how servers validate the scenario's objects if earlier runs have asked
them. With --ask it asks one server of each release, on a scratch store. For a chain it
prints the legs and what each leg creates; what a leg takes over depends on the run of the
leg before. As with run, NAME+MUTANT selects a mutant. Equal scenarios, pairs and seeds
print equal plans.

For several scenarios, or a pattern of names, it prints which of them form a shared run.`

func newPlan(a *App) *cobra.Command {
	var f runFlags
	var ask bool
	c := &cobra.Command{
		Use:   "plan SCENARIO...",
		Short: "Print everything a run would do, without starting anything",
		Long:  aboutPlan,
		Example: `  skewsim plan add-field+required
  skewsim plan train --through frobber@1.0..1.4
  skewsim plan 'kubernetes/*'
  skewsim plan ./my-field.yaml --ask
  skewsim plan ./my-field.yaml --pair kube-apiserver@v1.36.3..v1.37.0 --seed 7`,
		Args: AtLeastOne("scenarios (files, or names from skewsim list)"),
		ValidArgsFunction: func(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
			return completeScenario(c, nil, begun)
		},
		RunE: func(c *cobra.Command, args []string) error {
			f.drawn.Given(c.Flags())
			var err error
			if f.Orders, err = f.drawn.Parse(); err != nil {
				return fault.ByUser(err)
			}
			if len(args) == 1 && !campaign.IsPattern(args[0]) {
				return planOne(c.Context(), a, args[0], f, ask)
			}
			if ask {
				return fault.ByUser(errors.New("--ask: requires one scenario: name one"))
			}
			return planSeveral(c.Context(), a, args, f)
		},
	}
	cliflags.Pair(c.Flags(), &f.Request)
	cliflags.Chain(c.Flags(), &f.Chain)
	cliflags.Options(c.Flags(), &f.Options)
	cliflags.Seed(c.Flags(), &f.Seed)
	f.drawn.Register(c.Flags())
	c.Flags().BoolVar(&ask, "ask", false, "let a server of each release validate the scenario; makes missing builds")
	return c
}

// planOne prints what a run of one scenario would do, and the errors of servers: those that
// earlier runs have kept, or those that servers report now.
func planOne(ctx context.Context, a *App, name string, f runFlags, ask bool) error {
	t, err := campaign.PrepareOne(ctx, a.Builds(), name, f.Request)
	if err != nil {
		return fault.ByUser(err)
	}
	if t.Run.Plan == nil {
		return screen.Legs(a.Out, t.Run)
	}
	if ask {
		err = a.Runner().Ask(ctx, t.Run, a.Screen(a.Err, a.Err, true))
	} else {
		err = a.Runner().CheckKept(ctx, t.Run, a.Screen(a.Err, a.Err, true))
	}
	if err != nil {
		return err
	}
	return t.Run.Plan.Fprint(a.Out)
}

// planSeveral prints which of several scenarios form a shared run.
func planSeveral(ctx context.Context, a *App, names []string, f runFlags) error {
	f.Timeout = time.Minute // valid: no run uses it
	all, err := prepareAll(ctx, a.Builds(), names, f)
	if err != nil {
		return fault.ByUser(err)
	}
	for i, c := range campaign.Share(all, false) {
		what := "run"
		if len(c) > 1 {
			what = "shared run"
		}
		fmt.Fprintf(a.Out, "%s %d, %s: %s\n", what, i+1, c.Pair(), strings.Join(c.Names(), ", "))
	}
	return nil
}
