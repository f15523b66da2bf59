package main

import (
	"github.com/spf13/cobra"
)

func newPlan(a *app) *cobra.Command {
	var f runFlags
	var ask bool
	c := &cobra.Command{
		Use:   "plan SCENARIO",
		Short: "Print everything a run would do, without starting anything",
		Long: `plan prints the numbered tree of everything that run would do: the stages, which
replica runs which release, and each operation with its client, verb and copy.
It needs no server: what servers would say of the scenario's objects it tells as far
as earlier runs have asked; with --ask one of each release is asked, on a scratch
store. Of a chain it prints the legs, and what each makes itself: what
it takes over hangs on what the one before has left. A twin's name may follow the
scenario's, as for run. Equal scenarios, pairs and seeds print equal plans.`,
		Example: `  skewsim plan add-field+required
  skewsim plan train --through frobber@1.0..1.4
  skewsim plan ./my-field.yaml --ask
  skewsim plan ./my-field.yaml --pair kube-apiserver@v1.36.3..v1.37.0 --seed 7`,
		Args:              exactly(1, "one scenario (a file, or a name from skewsim list)"),
		ValidArgsFunction: completeScenario,
		RunE: func(c *cobra.Command, args []string) error {
			f.orders.onlyGiven = c.Flags().Changed("only")
			if err := f.orders.check(); err != nil {
				return usage(err)
			}
			t, err := a.prepare(c.Context(), args[0], f)
			if err != nil {
				return usage(err)
			}
			if t.plan == nil {
				return a.printChain(t)
			}
			if ask {
				err = a.ask(c.Context(), t)
			} else {
				err = a.tellKept(c.Context(), t)
			}
			if err != nil {
				return err
			}
			return t.plan.Fprint(a.out)
		},
	}
	f.pair.register(c.Flags())
	f.chain.register(c.Flags())
	seedFlag(c, &f.seed)
	f.orders.register(c.Flags())
	c.Flags().BoolVar(&ask, "ask", false, "ask a server of each release what is wrong with the scenario; makes the builds that are missing")
	return c
}

func seedFlag(c *cobra.Command, seed *int64) {
	c.Flags().Int64Var(seed, "seed", 0, "order of what the scenario leaves open; 0 keeps the scenario's own order")
}
