package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/app"
)

func newVersion(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print skewsim's version",
		Example: "  skewsim version",
		Args:    app.Exactly(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(a.Out, "skewsim %s %s %s/%s\n", app.ToolVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}
