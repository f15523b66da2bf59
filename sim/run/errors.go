package run

import (
	"fmt"

	"github.com/skewsim/skewsim/sim/plan"
)

// DefaultError tells that a treated value equals its field's default.
type DefaultError struct {
	At, Path, Value string // At is the file, with the line where it is known
}

// Error names the file, the field and the way out.
func (e *DefaultError) Error() string {
	return fmt.Sprintf("%s: %s: %s is the field's default, so that a loss of it would look like the value kept: give it another value",
		e.At, e.Path, e.Value)
}

// StoreError tells that a store which servers stood on has ended by itself, or answers no
// more, and the run with it. What they answered last says nothing of the releases.
type StoreError struct{ Err error }

// Error is the store's own error.
func (e *StoreError) Error() string { return e.Err.Error() }

// Unwrap returns it.
func (e *StoreError) Unwrap() error { return e.Err }

// RefusedError tells that a server refused to create an object although the
// scenario does not declare that.
type RefusedError struct {
	File     string // the scenario's
	Step     plan.Step
	Version  string // of the server
	Manifest string // the object's file
	Code     int
	Message  string
}

// Error names the line, the step, the server's words and the way out.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s:%d: step %d (%s): %s refused %s with %d: %s; mend the object file, or, if that is the answer to expect, declare it on the line: respond: {code: %d}",
		e.File, e.Step.Line, e.Step.Number, e.Step, e.Version, e.Manifest, e.Code, e.Message, e.Code)
}
