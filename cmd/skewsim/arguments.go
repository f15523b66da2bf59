package main

import "fmt"

// argumentError tells that a command got other arguments than it takes.
type argumentError struct {
	command, want string
	got           []string
}

func (e *argumentError) Error() string {
	return fmt.Sprintf("%s: takes %s, got %q; see %s --help", e.command, e.want, e.got, e.command)
}
