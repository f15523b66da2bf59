package etcd

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// TestSyncWithoutAnswer: a store that does not answer has failed; a caller that stops waiting
// has not.
func TestSyncWithoutAnswer(t *testing.T) {
	hangs := status.Error(codes.Unavailable, "keepalive ping failed to receive ACK within timeout")
	w := &Watch{done: make(chan struct{}), now: func(context.Context) (int64, error) { return 0, hangs }}
	err := w.Sync(t.Context())
	var failed *FailedError
	assert.ErrorAs(t, err, &failed)
	assert.ErrorIs(t, err, hangs)
	assert.ErrorContains(t, err, "store: watch: current revision: ")

	w.now = func(ctx context.Context) (int64, error) { return 0, ctx.Err() }
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = w.Sync(ctx)
	assert.ErrorIs(t, err, context.Canceled)
	assert.False(t, errors.As(err, &failed))
}

// TestSyncWaits: Sync returns when the revision that was current has been delivered, or when
// the caller stops waiting.
func TestSyncWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &Watch{
			done: make(chan struct{}), moved: make(chan struct{}), revision: 3,
			now: func(context.Context) (int64, error) { return 5, nil },
		}
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := w.Sync(short)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorContains(t, err, "delivered up to revision 3 of 5")

		synced := make(chan error, 1)
		go func() { synced <- w.Sync(t.Context()) }()
		for _, revision := range []int64{4, 5} {
			synctest.Wait()
			assert.Empty(t, synced, "before revision %d", revision)
			w.advance(revision)
		}
		assert.NoError(t, <-synced)
	})
}

// TestBarred: an etcd that does not answer is not reported as the caller's deadline, which may
// be another; its answers are distinguished.
func TestBarred(t *testing.T) {
	err := barred(context.DeadlineExceeded)
	assert.EqualError(t, err, "no answer within 10s: context deadline exceeded; does it have a leader?")
	assert.NotErrorIs(t, err, context.DeadlineExceeded)
	assert.ErrorIs(t, barred(context.Canceled), context.Canceled)
}
