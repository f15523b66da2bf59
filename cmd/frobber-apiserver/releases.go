package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/servers/frobber/train"
)

// newReleases lists the train.
func newReleases() *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "releases",
		Short: "List the releases, those that are wrong on purpose, and other right ways",
		Long: `releases lists the releases of the train, a line for each: first the right one, then
its twins, which are the same edit with a mistake, then its variants, which are
other right ways to make the edit. With -o wide each has a line of its own, which
says what it is.`,
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

// others are the twins of a release and its variants, by their full names.
func others(release string) (twins, variants []string) {
	for _, twin := range train.Twins(release) {
		twins = append(twins, release+"+"+twin)
	}
	for _, variant := range train.Variants(release) {
		variants = append(variants, release+"+"+variant)
	}
	return twins, variants
}

func printNames(w io.Writer) error {
	for _, name := range train.Names() {
		twins, variants := others(name)
		line := append(append([]string{name}, twins...), variants...)
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
		twins, variants := others(name)
		for _, full := range twins {
			fmt.Fprintf(table, "%s\twrong\t%s\n", full, train.About(full))
		}
		for _, full := range variants {
			fmt.Fprintf(table, "%s\tright\t%s\n", full, train.About(full))
		}
	}
	return table.Flush()
}
