package fault

import (
	"fmt"
	"runtime/debug"
)

// PanicError is a panic of skewsim itself.
type PanicError struct {
	Value any
	Stack []byte
}

// Error asks the user to report the panic, with its stack.
func (e *PanicError) Error() string {
	return fmt.Sprintf("skewsim itself broke, please report it: %v\n%s", e.Value, e.Stack)
}

// Fault reports that skewsim itself is at fault.
func (e *PanicError) Fault() Fault { return Fault{Kind: Bug} }

// Guard calls a function, and returns its panic as a *PanicError.
func Guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &PanicError{Value: r, Stack: debug.Stack()}
		}
	}()
	return f()
}
