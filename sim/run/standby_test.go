package run

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
)

// standingBy is a standby over a fake store, whose server becomes ready when let.
func standingBy(t *testing.T, ready chan struct{}) (*world, *walker, *standby) {
	w := newWorld(t)
	w.onStart = func(ctx context.Context, _ string) error {
		select {
		case <-ready:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	ctx, cancel := context.WithCancelCause(bounded(t))
	t.Cleanup(func() { cancel(nil) })
	c := config(t, w, smallPlan(t, small))
	c.Builds = map[term.Role]servers.Build{term.Old: {Version: "v1"}, term.New: {Version: "v2"}}
	k := newWalker(ctx, c, cancel)
	k.convoy.fleet.heldWithin = time.Minute
	s, err := k.convoy.hold(ctx, term.New)
	require.NoError(t, err)
	return w, k, s
}

// TestStandbyWaits: the server is executed at once, and let at its store only
// when it is asked for.
func TestStandbyWaits(t *testing.T) {
	ready := make(chan struct{})
	w, _, s := standingBy(t, ready)
	w.until(bounded(t), func() bool { return len(w.seen("start trial-new")) == 1 })
	assert.Len(t, w.seen("start trial-new"), 1)
	assert.Empty(t, w.seen("opened gate"))
	assert.True(t, s.waits())
	close(ready)
	process, _, err := s.release()
	require.NoError(t, err)
	assert.Len(t, w.seen("opened gate"), 1)
	process.Kill()
}

// TestStandbyHeldTooLong: a server that was held for too long, or that ended by
// itself meanwhile, is not asked: what it came to says nothing of any value.
func TestStandbyHeldTooLong(t *testing.T) {
	_, k, s := standingBy(t, make(chan struct{}))
	s.expires.Reset(0)
	<-s.done
	assert.False(t, s.waits())
	k.convoy.standbys.byRole[term.New] = s
	assert.Same(t, s, k.convoy.takeStandby(term.New))
	assert.Nil(t, k.convoy.takeStandby(term.New), "it is taken once")
}

// TestStandbyDismissed: one that nobody took ends with the run.
func TestStandbyDismissed(t *testing.T) {
	w, k, s := standingBy(t, make(chan struct{}))
	k.convoy.standbys.byRole[term.New] = s
	require.NoError(t, k.convoy.dismissStandbys())
	<-s.done
	assert.Len(t, w.seen("closed gate"), 1)
	assert.Nil(t, k.convoy.takeStandby(term.New))
}
