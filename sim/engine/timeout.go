package engine

import (
	"context"
	"errors"
	"time"

	"github.com/skewsim/skewsim/servers/fault"
)

// TimeoutError says that a run, or several that share servers, took longer than Request.Timeout. Deadlines of
// anything else, such as of an etcd that does not answer, are no such error.
type TimeoutError struct{}

// Error says what can be done.
func (TimeoutError) Error() string {
	return "out of time: give it more with --timeout; what was seen by then is judged and reported"
}

// Fault returns that the time was over.
func (TimeoutError) Fault() fault.Fault {
	return fault.Fault{Kind: fault.Infrastructure, Failure: fault.OutOfTime}
}

// Unwrap lets rooms below, which know of no flag, see a deadline like any other.
func (TimeoutError) Unwrap() error { return context.DeadlineExceeded }

// WithTimeout gives a run so much time.
func WithTimeout(ctx context.Context, given time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, given, TimeoutError{})
}

// Late adds, to what only says that a deadline was exceeded, that it was the run's.
func Late(ctx context.Context, err error) error {
	if over := (TimeoutError{}); errors.Is(err, context.DeadlineExceeded) && !errors.As(err, &over) && errors.As(context.Cause(ctx), &over) {
		return errors.Join(over, err)
	}
	return err
}
