package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/sim/engine"
)

// completeScenario offers the catalogue's scenarios and their twins to shells,
// which complete files by themselves.
func completeScenario(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	entries, err := load.Catalogue()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
		for _, twin := range e.Scenario.TwinNames() {
			names = append(names, e.Name+"+"+twin)
		}
	}
	return names, cobra.ShellCompDirectiveDefault
}

func orAny(constraint string) string {
	if constraint == "" {
		return "any"
	}
	return constraint
}

func outputFlag(c *cobra.Command, output *string) {
	c.Flags().StringVarP(output, "output", "o", "table", "`format`: table, name or json")
}

// printAll prints rows as kubectl does: a table, names alone, or JSON.
func printAll[T any](w io.Writer, format string, all []T, header []string, columns func(T) []string) error {
	switch format {
	case "json":
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(append([]T{}, all...))
	case "name":
		for _, row := range all {
			fmt.Fprintln(w, columns(row)[0])
		}
		return nil
	case "table":
		table := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
		fmt.Fprintln(table, strings.Join(header, "\t"))
		for _, row := range all {
			fmt.Fprintln(table, strings.Join(columns(row), "\t"))
		}
		return table.Flush()
	}
	return usage(fmt.Errorf("--output %q: not a format (table, name, json)", format))
}

func newValidate(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "validate FILE...",
		Short: "Check scenario files, and tell every error at once",
		Long: `validate checks scenario files and the object files they name, without a server:
keys, words, stages, paths, flags, constraints, expectations. It tells every error of a
file at once, each with its line and the nearest known word. Of a file without these
it asks the reference server, where that is found, for releases that there are not.
plan and run tell the same.`,
		Example: "  skewsim validate my-field.yaml\n  skewsim validate scenarios/kubernetes/*.yaml",
		Args:    atLeastOne("files"),
		RunE: func(c *cobra.Command, args []string) error {
			var problems []error
			for _, file := range slices.Compact(args) {
				s, err := load.File(file)
				if err == nil {
					err = engine.CheckFile(c.Context(), a.builds(), s)
				}
				if err != nil {
					problems = append(problems, err)
					continue
				}
				fmt.Fprintf(a.out, "%s: valid\n", file)
			}
			return usage(errors.Join(problems...))
		},
	}
}
