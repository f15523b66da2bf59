package main

import "fmt"

// argumentError reports arguments that a command does not take.
type argumentError struct {
	command, want string
	got           []string
}

func (e *argumentError) Error() string {
	return fmt.Sprintf("%s: takes %s, got %q; see %s --help", e.command, e.want, e.got, e.command)
}
