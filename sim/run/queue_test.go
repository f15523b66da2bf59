package run

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/plan"
)

// TestQueue: a step waits for the one of its copy before it, and for no other.
func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue([]plan.Step{{Copy: "a"}, {Copy: "b"}, {}, {Copy: "a"}, {}})
		for _, free := range []int{0, 1, 2, 4} {
			require.NoError(t, q.wait(t.Context(), free))
		}
		came := false
		go func() { came = q.wait(t.Context(), 3) == nil }()
		q.leave(1)
		synctest.Wait()
		assert.False(t, came)
		q.leave(0)
		synctest.Wait()
		assert.True(t, came)
	})
}

// TestQueueEnds: a waiting step ends with the run.
func TestQueueEnds(t *testing.T) {
	q := newQueue([]plan.Step{{Copy: "a"}, {Copy: "a"}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, q.wait(ctx, 1), context.Canceled)
}
