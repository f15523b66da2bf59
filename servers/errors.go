package servers

import (
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/servers/fault"
)

// ExitError tells that a server ended although nobody asked it to.
type ExitError struct {
	Name   string   // the placement's name
	Build  string   // the build's reference
	Status string   // "exited with status 1", "was killed by signal 9"
	Ready  bool     // whether it had been ready
	Log    string   // path of its log
	Tail   []string // the last lines of its log
	// Failure is what of the infrastructure ended it; fault.None: nothing, as far as is known.
	Failure fault.Failure
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

// Fault returns that the user asked for it.
func (e *RequestError) Fault() fault.Fault { return fault.Fault{Kind: fault.User} }

// Fault returns what of the infrastructure ended the server. That it ended by itself is
// not classified: to see that is what skewsim is for.
func (e *ExitError) Fault() fault.Fault {
	if e.Failure == fault.None {
		return fault.Fault{}
	}
	return fault.Fault{Kind: fault.Infrastructure, Failure: e.Failure, Subject: e.Name}
}

// Killed reports whether the server was killed by SIGKILL (by the kernel, short of memory,
// or by a person), or was lost. No server does that to itself.
func (e *ExitError) Killed() bool {
	return e.Failure == fault.ServerKilled || e.Failure == fault.ServerLost
}

// LostError tells that nobody knows how a container ended, or whether it has: its
// Docker engine no longer tells.
type LostError struct{ Err error }

// Error is a status as those of servers are.
func (e *LostError) Error() string {
	return fmt.Sprintf("was lost with its Docker engine (%v)", e.Err)
}

// Unwrap returns what asking the engine came to.
func (e *LostError) Unwrap() error { return e.Err }

// Fault returns that the engine failed.
func (e *LostError) Fault() fault.Fault {
	return fault.Fault{Kind: fault.Infrastructure, Failure: fault.EngineFailed}
}

// LateError tells that a server was executed, and was not ready in time.
type LateError struct{ Err error }

// Error is the error's own text.
func (e *LateError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *LateError) Unwrap() error { return e.Err }

// Fault returns that a slow machine may have kept the server from being ready.
func (e *LateError) Fault() fault.Fault {
	return fault.Fault{Kind: fault.Infrastructure, Failure: fault.ServerLate}
}
