package servers

import (
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/servers/fault"
)

// ExitError reports a server that ended although nobody stopped it.
type ExitError struct {
	Name   string   // the placement's name
	Build  string   // the build's reference
	Status string   // "exited with status 1", "was killed by signal 9"
	Ready  bool     // whether it had been ready
	Log    string   // path of its log
	Tail   []string // the last lines of its log
	// Failure is the infrastructure failure that ended the server; fault.None if none is known.
	Failure fault.Failure
}

// Error returns a paragraph that a user can act on: which server ended, how, when, and the last
// lines of its log.
func (e *ExitError) Error() string {
	when := "before it was ready"
	if e.Ready {
		when = "while it was serving"
	}
	return fmt.Sprintf("server %s (%s): %s %s; log: %s; its last lines:\n  %s",
		e.Name, e.Build, e.Status, when, e.Log, strings.Join(e.Tail, "\n  "))
}

// RequestError reports a request that cannot be met as it was made: a release that does not
// exist, a file that is not a server, a flag that is refused. A retry changes nothing.
type RequestError struct{ Err error }

// Error returns the text of the wrapped error.
func (e *RequestError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *RequestError) Unwrap() error { return e.Err }

// Fault reports a user error.
func (e *RequestError) Fault() fault.Fault { return fault.Fault{Kind: fault.User} }

// Fault returns the infrastructure failure that ended the server. A server that ends by itself
// is not classified: skewsim exists to find that.
func (e *ExitError) Fault() fault.Fault {
	if e.Failure == fault.None {
		return fault.Fault{}
	}
	return fault.Fault{Kind: fault.Infrastructure, Failure: e.Failure, Subject: e.Name}
}

// Killed reports whether the server was killed by SIGKILL (by the kernel, short of memory, or
// by a person) or was lost. No server does that to itself.
func (e *ExitError) Killed() bool {
	return e.Failure == fault.ServerKilled || e.Failure == fault.ServerLost
}

// LostError reports a container whose state is unknown, because its Docker engine no longer
// answers.
type LostError struct{ Err error }

// Error returns a status in the form of a server's exit status.
func (e *LostError) Error() string {
	return fmt.Sprintf("was lost with its Docker engine (%v)", e.Err)
}

// Unwrap returns the error from asking the engine.
func (e *LostError) Unwrap() error { return e.Err }

// Fault reports that the engine failed.
func (e *LostError) Fault() fault.Fault {
	return fault.Fault{Kind: fault.Infrastructure, Failure: fault.EngineFailed}
}

// LateError reports a server that started and was not ready in time.
type LateError struct{ Err error }

// Error returns the text of the wrapped error.
func (e *LateError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *LateError) Unwrap() error { return e.Err }

// Fault reports that a slow machine may have kept the server from being ready.
func (e *LateError) Fault() fault.Fault {
	return fault.Fault{Kind: fault.Infrastructure, Failure: fault.ServerLate}
}
