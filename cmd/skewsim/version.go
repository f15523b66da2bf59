package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/servers/fault"
)

func newVersion(a *App) *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:     "version",
		Short:   "Print the version, commit, date and Go version of skewsim",
		Example: "  skewsim version\n  skewsim version --output json",
		Args:    Exactly(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			switch output {
			case "text":
				fmt.Fprintln(a.Out, ThisVersion())
				return nil
			case "json":
				return PrintJSON(a.Out, ThisVersion())
			}
			return fault.ByUser(fault.Optionf("{output} %q: want text or json", output))
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "text", "`format`: text or json")
	return c
}
