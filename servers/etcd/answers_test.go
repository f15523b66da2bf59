package etcd

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// TestSyncWithoutAnswer: that a store does not answer is its failure; that nobody waits
// for the answer any more is not.
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

// TestBarred: that an etcd has not answered is no deadline of who asks, who may have
// another; what it does answer can be told apart.
func TestBarred(t *testing.T) {
	err := barred(context.DeadlineExceeded)
	assert.EqualError(t, err, "no answer within 10s: context deadline exceeded; does it have a leader?")
	assert.NotErrorIs(t, err, context.DeadlineExceeded)
	assert.ErrorIs(t, barred(context.Canceled), context.Canceled)
}
