package engine

import (
	"context"
	"errors"
	"time"

	"github.com/skewsim/skewsim/servers/fault"
)

// TimeoutError reports that a run, or a shared run, took longer than Request.Timeout. Other
// deadlines, such as that of an etcd that does not answer, are not a TimeoutError.
type TimeoutError struct{}

var errOutOfTime = fault.Optionf("out of time: allow more with {timeout}; what the run saw is judged and reported")

// Error says what to do.
func (TimeoutError) Error() string { return errOutOfTime.Error() }

// Fault returns an infrastructure failure: the run was out of time.
func (TimeoutError) Fault() fault.Fault {
	return fault.Fault{Kind: fault.Infrastructure, Failure: fault.OutOfTime}
}

// Unwrap returns context.DeadlineExceeded, for packages that know no Request, and what names
// the option.
func (TimeoutError) Unwrap() []error { return []error{context.DeadlineExceeded, errOutOfTime} }

// WithTimeout limits a run to a duration.
func WithTimeout(ctx context.Context, given time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, given, TimeoutError{})
}

// Late replaces an error that only says that a deadline was exceeded by the run's
// TimeoutError.
func Late(ctx context.Context, err error) error {
	if over := (TimeoutError{}); errors.Is(err, context.DeadlineExceeded) && !errors.As(err, &over) && errors.As(context.Cause(ctx), &over) {
		return errors.Join(over, err)
	}
	return err
}
