package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// Main runs the command line with arguments, which do not include the program's name, and
// returns the exit code. An interruption or SIGTERM ends a server cleanly.
func Main(arguments []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRoot()
	root.SetArgs(arguments)
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		return 1
	}
	return 0
}

// newRoot returns the whole command line. Without a subcommand it serves.
func newRoot() *cobra.Command {
	root := newServe()
	root.AddCommand(newReleases(), newClients())
	return root
}
