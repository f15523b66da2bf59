package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/servers/fault"
)

// argumentError reports arguments that a command does not take.
type argumentError struct {
	command, want string
	got           []string
}

func (e *argumentError) Error() string {
	return fmt.Sprintf("%s: takes %s, got %q; see %s --help", e.command, e.want, e.got, e.command)
}

// Exactly is cobra.ExactArgs with the exit code of a usage error.
func Exactly(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return fault.ByUser(&argumentError{command: c.CommandPath(), want: what, got: args})
	}
}

// AtLeastOne is cobra.MinimumNArgs(1) with the exit code of a usage error.
func AtLeastOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return nil
		}
		return fault.ByUser(&argumentError{command: c.CommandPath(), want: "one or more " + what, got: args})
	}
}

// KnownCommand refuses an unknown command, and suggests the nearest known one.
func KnownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := ""
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		hint = fmt.Sprintf(": did you mean %q?", near[0])
	}
	return fault.ByUser(fmt.Errorf("%s: unknown command %q%s; see %s --help", c.CommandPath(), args[0], hint, c.CommandPath()))
}
