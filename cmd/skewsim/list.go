package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/reports/screen"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/rules"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/sim/catalogue"
)

func newList(a *app) *cobra.Command {
	var output string
	var mutants bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios that are built in, by the topics of the guide",
		Long: `list shows the scenarios that are built in, by the topics of the guide. For each it
shows the pair of releases that it runs by default (of a chain, all from the first to the
last), its mutants (skewsim run NAME+MUTANT), the releases that it applies to, and the
pairs of built releases that it applies to: name one with --pair.
Below, it names the scenarios that share one journey when they are run together.
With --twins it shows the mutants: which release is wrong, which check catches it, and
what the mistake is.`,
		Example: "  skewsim list\n  skewsim list --twins\n  skewsim list -o name",
		Args:    exactly(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			entries, err := load.Catalogue()
			if err != nil {
				return err
			}
			if mutants {
				return screen.Mutants(a.out, output, catalogue.Mutants(entries))
			}
			topics, err := rules.Topics()
			if err != nil {
				return err
			}
			built, err := builder.CachedReleases()
			if err != nil {
				return err
			}
			return printScenarios(a.out, output, catalogue.Scenarios(topics, entries, built))
		},
	}
	outputFlag(c, &output)
	c.Flags().BoolVar(&mutants, "twins", false, "list the mutants, each with the check that catches it")
	return c
}

// printScenarios prints the catalogue.
func printScenarios(w io.Writer, output string, all []catalogue.Scenario) error {
	if output == "table" {
		return screen.Catalogue(w, all)
	}
	return screen.Rows(w, output, all, nil, func(s catalogue.Scenario) []string { return []string{s.Name} })
}
