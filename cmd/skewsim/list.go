package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/rules"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/sim/catalogue"
)

func newList(a *App) *cobra.Command {
	var output string
	var mutants bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the built-in scenarios by topic of the guide",
		Long: `list shows the built-in scenarios by topic of the guide. For each scenario it shows the
default pair of releases (for a chain, the first and the last release), the mutants
(skewsim run NAME+MUTANT), the releases that the scenario applies to, and the pairs of
cached builds that it applies to: select one with --pair. Then it lists the scenarios that
form a shared run.
With --mutants it lists the mutants: the wrong release, the check that catches it, and the
mistake.`,
		Example: "  skewsim list\n  skewsim list --mutants\n  skewsim list -o name",
		Args:    Exactly(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			entries, err := load.Catalogue()
			if err != nil {
				return err
			}
			if mutants {
				return screen.Mutants(a.Out, output, catalogue.Mutants(entries))
			}
			topics, err := rules.Topics()
			if err != nil {
				return err
			}
			built, err := builder.CachedReleases()
			if err != nil {
				return err
			}
			return printScenarios(a.Out, output, catalogue.Scenarios(topics, entries, built))
		},
	}
	OutputFlag(c, &output)
	c.Flags().BoolVar(&mutants, "mutants", false, "list the mutants, each with the check that catches it")
	cliflags.Alias(c.Flags(), "mutants", "twins")
	return c
}

// printScenarios prints the catalogue.
func printScenarios(w io.Writer, output string, all []catalogue.Scenario) error {
	if output == "table" {
		return screen.Catalogue(w, all)
	}
	return screen.Rows(w, output, all, nil, func(s catalogue.Scenario) []string { return []string{s.Name} })
}
