package main

import (
	"context"
	"errors"
	"time"

	"github.com/skewsim/skewsim/servers/fault"
)

// timeoutError tells that the time is over that --timeout gives a journey. Deadlines of
// anything else, such as of an etcd that does not answer, are no such error.
type timeoutError struct{}

// Error says what can be done.
func (timeoutError) Error() string {
	return "out of time: give it more with --timeout; what was seen by then is judged and reported"
}

// Fault returns that the time was over.
func (timeoutError) Fault() fault.Fault {
	return fault.Fault{Kind: fault.Infrastructure, Failure: fault.OutOfTime}
}

// Unwrap lets rooms below, which know of no flag, see a deadline like any other.
func (timeoutError) Unwrap() error { return context.DeadlineExceeded }

// withTimeout gives a journey so much time.
func withTimeout(ctx context.Context, given time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, given, timeoutError{})
}

// late adds, to what only says that a deadline was exceeded, that it was the journey's.
func late(ctx context.Context, err error) error {
	if over := (timeoutError{}); errors.Is(err, context.DeadlineExceeded) && !errors.As(err, &over) && errors.As(context.Cause(ctx), &over) {
		return errors.Join(over, err)
	}
	return err
}
