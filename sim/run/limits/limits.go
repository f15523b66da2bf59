package limits

import (
	"context"
	"time"
)

// Workers is how many operations of a stage run at once. Those of one copy
// wait for each other, and the order of others changes nothing. More than this only makes
// servers and simulator wait for the same cores.
const Workers = 4

// FirstPause is the pause before a request is repeated for the first time: what
// client-go's retry.DefaultRetry begins with.
const FirstPause = 10 * time.Millisecond

// longestPause is the longest pause between two requests that repeat each other.
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

// PauseLonger waits, and returns how long to wait the next time: a server that is late may
// be late for long, and each request costs it time.
func PauseLonger(ctx context.Context, d time.Duration) (time.Duration, error) {
	return min(2*d, longestPause), Pause(ctx, d)
}
