package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/servers/container"
)

// newGuard is what skewsim executes itself with before it runs the first container.
func newGuard() *cobra.Command {
	return &cobra.Command{
		Use:    GuardCommand + " RUN",
		Short:  "Remove a run's containers when standard input ends",
		Hidden: true,
		Args:   Exactly(1, "the name of a run"),
		RunE: func(_ *cobra.Command, args []string) error {
			return container.Guard(args[0], os.Stdin)
		},
	}
}
