package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/servers/frobber/train"
)

// newReleases returns the command that lists the releases.
func newReleases() *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "releases",
		Short: "List the releases, their mutants and their variants",
		Long: `releases lists the releases of the train, one line for each: first the correct one, then
its mutants, which are the same edit with a mistake, then its variants, which are
other correct ways to make the edit. With -o wide each release has its own line
with a description.`,
		Example: "  frobber-apiserver releases\n  frobber-apiserver releases -o wide",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch output {
			case "name":
				return printNames(c.OutOrStdout())
			case "wide":
				return printAbouts(c.OutOrStdout())
			}
			return fmt.Errorf("--output %q: not a format (name, wide)", output)
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "name", "`format`: name or wide")
	return c
}

// others returns the full names of a release's mutants and variants.
func others(release string) (mutants, variants []string) {
	for _, mutant := range train.Mutants(release) {
		mutants = append(mutants, release+"+"+mutant)
	}
	for _, variant := range train.Variants(release) {
		variants = append(variants, release+"+"+variant)
	}
	return mutants, variants
}

func printNames(w io.Writer) error {
	for _, name := range train.Names() {
		mutants, variants := others(name)
		line := append(append([]string{name}, mutants...), variants...)
		if _, err := fmt.Fprintln(w, strings.Join(line, " ")); err != nil {
			return err
		}
	}
	return nil
}

func printAbouts(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
	fmt.Fprintln(table, "RELEASE\tIS\tABOUT")
	for _, name := range train.Names() {
		fmt.Fprintf(table, "%s\tright\t%s\n", name, train.About(name))
		mutants, variants := others(name)
		for _, full := range mutants {
			fmt.Fprintf(table, "%s\twrong\t%s\n", full, train.About(full))
		}
		for _, full := range variants {
			fmt.Fprintf(table, "%s\tright\t%s\n", full, train.About(full))
		}
	}
	return table.Flush()
}
