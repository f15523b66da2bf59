package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/servers/frobber/cli"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
)

// isReferenceServer reports whether this process is to be the reference server: one executable
// is enough to play its releases. The server gets nothing of what skewsim sets up for itself.
func isReferenceServer() bool {
	return len(os.Args) > 1 && os.Args[1] == frobberapiserver.Subcommand
}

// newReferenceServer returns the command that main runs before it sets anything up. Here it has
// a name that help and tests know.
func newReferenceServer() *cobra.Command {
	return &cobra.Command{
		Use:                frobberapiserver.Subcommand,
		Short:              "Be the reference server",
		Hidden:             true,
		DisableFlagParsing: true,
		Run:                func(_ *cobra.Command, args []string) { os.Exit(cli.Main(args)) },
	}
}
