package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
)

func newValidate(a *App) *cobra.Command {
	return &cobra.Command{
		Use:   "validate FILE...",
		Short: "Check scenario files, and report every error at once",
		Long: `validate checks scenario files and the object files they name, without a server:
keys, words, stages, paths, flags, constraints, expectations. It reports every error of a
file at once, each with its line and the nearest known word. For a file without such
errors it asks the reference server, if it is installed, which releases exist, and whether
the executables are there that its program file names. plan and run report the same errors.`,
		Example: "  skewsim validate my-field.yaml\n  skewsim validate scenarios/kubernetes/*.yaml",
		Args:    AtLeastOne("files"),
		RunE: func(c *cobra.Command, args []string) error {
			var problems []error
			for _, file := range slices.Compact(args) {
				s, err := load.File(file)
				if err == nil {
					err = engine.CheckFile(c.Context(), a.Builds(), s, "")
				}
				if err == nil {
					err = engine.CheckPrograms(c.Context(), a.Builds(), s)
				}
				if err != nil {
					problems = append(problems, err)
					continue
				}
				unread := ""
				if charts := engine.ChartsOf(c.Context(), s); len(charts) > 0 {
					unread = ", without " + strings.Join(charts, " and ") + ": Helm charts, which only a run with --allow-programs renders"
				}
				fmt.Fprintf(a.Out, "%s: valid%s\n", file, unread)
			}
			return fault.ByUser(errors.Join(problems...))
		},
	}
}
