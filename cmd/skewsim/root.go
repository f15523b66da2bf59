package main

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
)

// app is what every command shares.
type app struct {
	out, err io.Writer
	// secrets is the directory with the keys of the run that goes on, if any.
	secrets atomic.Pointer[string]
	// runtime starts the servers of the run that goes on, if any.
	runtime atomic.Pointer[servers.Runtime]

	impacts  string      // whether impacts alone fail the command
	opened   atomic.Bool // the run, or the matrix, has made its directory its own
	mutex    sync.Mutex  // of children
	children []*app
	making   sync.Once // of maker
	maker    *builder.Builder
	runs     *engine.Engine // of mutex; nil: none was executed
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "skewsim",
		Short: "Show what a rolling upgrade or a rollback does to stored objects",
		Long: `skewsim starts release n-1 and release n of an API server on one shared etcd,
runs old and new clients through a rolling upgrade, a rollback and a second
upgrade, and says which acknowledged value was lost, at which step, by whose
write, against which rule of Kubernetes' "Changing the API".

Exit codes: 0 the findings are those that the scenario expects; 1 they are not;
2 bad flags or a bad scenario; 3 the run could not be judged (a server did not
start, the run was interrupted, a check had no data).`,
		Example: `  skewsim run add-field
  skewsim run add-field+required
  skewsim run my-field.yaml --pair kube-apiserver@v1.36.3..v1.37.0
  skewsim run my-field.yaml --old kube-apiserver@v1.36.3 --new source:../kubernetes
  skewsim plan emptydir-mode
  skewsim judge out/add-field`,
		SuggestionsMinimumDistance: 2,
		SilenceUsage:               true,
		SilenceErrors:              true,
		Args:                       knownCommand,
		RunE:                       func(c *cobra.Command, _ []string) error { return c.Help() },
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			return fault.ByUser(errors.Join(cliflags.Empty(c.Flags()), cliflags.Contradictory(c.Flags())))
		},
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fault.ByUser(fmt.Errorf("%s: %w; see %s --help", c.CommandPath(), cliflags.Plain(err), c.CommandPath()))
	})
	root.AddCommand(
		newRun(a), newMatrix(a), newPlan(a), newJudge(a), newExpect(a), newReport(a), newList(a), newValidate(a), newBuilds(a), newFuzz(a), newLint(a), newVersion(a), newGuard(),
	)
	return root
}

// knownCommand refuses an unknown command, and suggests the nearest known one.
func knownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := ""
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		hint = fmt.Sprintf(": did you mean %q?", near[0])
	}
	return fault.ByUser(fmt.Errorf("%s: unknown command %q%s; see %s --help", c.CommandPath(), args[0], hint, c.CommandPath()))
}

// exactly is cobra.ExactArgs with the exit code of a usage error.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return fault.ByUser(&argumentError{command: c.CommandPath(), want: what, got: args})
	}
}

// atLeastOne is cobra.MinimumNArgs(1) with the exit code of a usage error.
func atLeastOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return nil
		}
		return fault.ByUser(&argumentError{command: c.CommandPath(), want: "one or more " + what, got: args})
	}
}
