package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/servers/container"
)

// guardCommand is the hidden command that a run's guard is executed with.
const guardCommand = "guard-containers"

// newGuard is what skewsim executes itself with before it runs the first container.
func newGuard() *cobra.Command {
	return &cobra.Command{
		Use:    guardCommand + " RUN",
		Short:  "Remove a run's containers when standard input ends",
		Hidden: true,
		Args:   exactly(1, "the name of a run"),
		RunE: func(_ *cobra.Command, args []string) error {
			return container.Guard(args[0], os.Stdin)
		},
	}
}
