package fleet

import (
	"context"
	"time"
)

// Workers is how many operations of a stage run at once. Operations on one copy wait for
// each other, and the order of others does not matter. More workers would only compete with
// the servers for the same cores.
const Workers = 4

// FirstPause is the first pause before a request is repeated, as in client-go's
// retry.DefaultRetry.
const FirstPause = 10 * time.Millisecond

// longestPause is the longest pause between two repetitions of a request.
const longestPause = 500 * time.Millisecond

// Pause waits, unless the context ends.
func Pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// PauseLonger waits, and returns how long to wait the next time: a late server may be late
// for long, and each request costs it time.
func PauseLonger(ctx context.Context, d time.Duration) (time.Duration, error) {
	return min(2*d, longestPause), Pause(ctx, d)
}
