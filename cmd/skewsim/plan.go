package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newPlan(a *app) *cobra.Command {
	var (
		pair   pairFlags
		chain  chainFlags
		seed   int64
		orders orderFlags
	)
	c := &cobra.Command{
		Use:   "plan SCENARIO",
		Short: "Print everything a run would do, without starting anything",
		Long: `plan prints the numbered tree of everything that run would do: the stages, which
replica runs which release, and each operation with its client, verb and copy.
It needs no server. Of a chain it prints the legs, and what each makes itself: what
it takes over hangs on what the one before has left. A twin's name may follow the
scenario's, as for run. Equal scenarios, pairs and seeds print equal plans.`,
		Example: `  skewsim plan add-field+required
  skewsim plan train --through frobber@1.0..1.4
  skewsim plan ./my-field.yaml --pair kube-apiserver@v1.36.3..v1.37.0 --seed 7`,
		Args:              exactly(1, "one scenario (a file, or a name from skewsim list)"),
		ValidArgsFunction: completeScenario,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := a.find(c.Context(), args[0])
			if err != nil {
				return usage(err)
			}
			orders.onlyGiven = c.Flags().Changed("only")
			if err := orders.check(); err != nil {
				return usage(err)
			}
			f := runFlags{pair: pair, chain: chain, orders: orders, seed: seed}
			chained := chain.wanted(s, pair)
			if err := f.fits(chained); err != nil {
				return usage(fmt.Errorf("%s: %w", s.FullName(), err))
			}
			if chained {
				return a.printChain(c.Context(), s, f)
			}
			s, old, new, err := pair.pairOf(s)
			if err != nil {
				return err
			}
			if err := a.known(c.Context(), old, new); err != nil {
				return usage(err)
			}
			p, err := planFor(orders.of(s), old, new, seed)
			if err != nil {
				return err
			}
			return p.Fprint(a.out)
		},
	}
	pair.register(c.Flags())
	chain.register(c.Flags())
	seedFlag(c, &seed)
	orders.register(c.Flags())
	return c
}

func seedFlag(c *cobra.Command, seed *int64) {
	c.Flags().Int64Var(seed, "seed", 0, "order of what the scenario leaves open; 0 keeps the scenario's own order")
}
