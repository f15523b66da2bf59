package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/app"
	"github.com/skewsim/skewsim/servers/fault"
)

func newVersion(a *app.App) *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:     "version",
		Short:   "Print the version, commit, date and Go version of skewsim",
		Example: "  skewsim version\n  skewsim version --output json",
		Args:    app.Exactly(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			switch output {
			case "text":
				fmt.Fprintln(a.Out, app.ThisVersion())
				return nil
			case "json":
				return app.PrintJSON(a.Out, app.ThisVersion())
			}
			return fault.ByUser(fault.Optionf("{output} %q: want text or json", output))
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "text", "`format`: text or json")
	return c
}
