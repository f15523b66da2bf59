package servers

import (
	"fmt"
	"strings"
)

// ExitError tells that a server ended although nobody asked it to.
type ExitError struct {
	Name   string   // the placement's name
	Build  string   // the build's reference
	Status string   // "exited with status 1", "was killed by signal 9"
	Ready  bool     // whether it had been ready
	Log    string   // path of its log
	Tail   []string // the last lines of its log
}

// Error gives the paragraph a user acts on: who, what, when, and its last words.
func (e *ExitError) Error() string {
	when := "before it was ready"
	if e.Ready {
		when = "while it was serving"
	}
	return fmt.Sprintf("server %s (%s): %s %s; log: %s; its last lines:\n  %s",
		e.Name, e.Build, e.Status, when, e.Log, strings.Join(e.Tail, "\n  "))
}

// RequestError tells that what was asked for cannot be had as it was asked: a
// release that does not exist, a file that is no server, a flag that is
// refused. Trying again changes nothing.
type RequestError struct{ Err error }

// Error is the error's own text.
func (e *RequestError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *RequestError) Unwrap() error { return e.Err }

// Killed tells that the server was killed by SIGKILL: by the kernel, short of
// memory, or by a person. No server does that to itself.
func (e *ExitError) Killed() bool { return strings.HasPrefix(e.Status, "was killed by signal 9") }
