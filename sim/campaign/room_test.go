package campaign

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/engine"
)

const gib = 1 << 30

func ofScheme(s servers.Scheme) Group {
	return Group{{Run: engine.Run{Refs: []servers.Reference{{Scheme: s}}}}}
}

// TestAtOnce: cores and memory bound the groups at once; one is always allowed.
func TestAtOnce(t *testing.T) {
	big, small := ofScheme(servers.SchemeRelease), ofScheme(servers.SchemeTrain)
	for _, c := range []struct {
		room Room
		all  []Group
		want int
	}{
		{Room{4, 20 * gib}, []Group{big, big, big, big, big}, 4},
		{Room{4, 20 * gib}, []Group{big, big}, 2},
		{Room{4, 6 * gib}, []Group{big, big, small, small}, 2},
		{Room{4, 6 * gib}, []Group{small, small, small, small}, 4},
		{Room{4, 5100 << 20}, []Group{big, big}, 2},
		{Room{4, 5100 << 20}, []Group{ofScheme(servers.SchemeModule), big}, 1}, // two servers a replica
		{Room{4, 0}, []Group{big, big}, 1},
		{Room{2, math.MaxInt64}, []Group{big, big, big}, 2},
	} {
		assert.Equal(t, c.want, c.room.AtOnce(c.all), "%+v", c)
	}
}

// TestTurns: a journey begins as soon as its own builds are made and there is room, while
// others still wait for theirs.
func TestTurns(t *testing.T) { synctest.Test(t, turnsAreGiven) }

func turnsAreGiven(t *testing.T) {
	big, small := ofScheme(servers.SchemeRelease), ofScheme(servers.SchemeTrain)
	ctx, cancel := context.WithCancel(t.Context())
	turns := newTurns(Room{3, 3 * gib}, []Group{big, big, small, small})
	go turns.give(ctx)
	came := make(chan int)
	for i := range 4 {
		go func() {
			if _, ok := turns.wait(ctx, i); ok {
				came <- i
			}
		}()
	}
	nothing := func() {
		t.Helper()
		synctest.Wait() // until nobody can continue
		select {
		case i := <-came:
			t.Fatalf("%d had no turn", i)
		default:
		}
	}
	work := prepared{going: cells(1)}
	nothing()
	turns.ready(2, work) // 0 waits for its builds
	require.Equal(t, 2, <-came)
	turns.ready(1, work) // 3 GiB hold one large and one small group, but not two large ones
	nothing()
	turns.end(2)
	require.Equal(t, 1, <-came)
	turns.ready(0, work)
	nothing()
	turns.end(1)
	require.Equal(t, 0, <-came)
	turns.ready(3, prepared{}) // a group without cells takes no room
	require.Equal(t, 3, <-came)
	turns.close()
	cancel()
	_, ok := turns.wait(ctx, 3)
	assert.False(t, ok, "nothing begins after an interruption")
}

// TestNothingToPlayNeedsNoTurn: finished cells are reported while others wait for room.
func TestNothingToPlayNeedsNoTurn(t *testing.T) {
	small := ofScheme(servers.SchemeTrain)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	turns := newTurns(Room{1, 3 * gib}, []Group{small, small, small})
	go turns.give(ctx)
	for i := range 2 {
		turns.ready(i, prepared{going: cells(1)})
	}
	_, ok := turns.wait(ctx, 0)
	require.True(t, ok)
	turns.ready(2, prepared{})
	_, ok = turns.wait(ctx, 2)
	assert.True(t, ok, "it waits behind one that has no room")
	turns.end(2) // it took no room, and returns none
	turns.end(0)
	_, ok = turns.wait(ctx, 1)
	assert.True(t, ok)
}
