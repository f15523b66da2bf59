package campaign

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/engine"
)

func named(name string) *Cell { return &Cell{Label: name} }

// single is a job of one run.
func single(name string, do func(context.Context) error) Job {
	c := named(name)
	return Job{Cells: Group{c}, Do: func(ctx context.Context, report func(Ended)) {
		report(Ended{Cell: c, Outcome: engine.Outcome{Err: do(ctx)}})
	}}
}

// TestQueueIsBounded: the queue executes as many jobs at once as allowed, and never more.
func TestQueueIsBounded(t *testing.T) {
	for _, atOnce := range []int{1, 2, 3} {
		var now, most atomic.Int64
		var full sync.WaitGroup // the first jobs wait for one another
		full.Add(atOnce)
		var jobs []Job
		for i := range 4 * atOnce {
			jobs = append(jobs, single(fmt.Sprint(i), func(context.Context) error {
				if n := now.Add(1); n > int64(atOnce) {
					most.Store(n)
				}
				defer now.Add(-1)
				if i < atOnce {
					full.Done()
					full.Wait()
				}
				return nil
			}))
		}
		all := Queue(t.Context(), atOnce, jobs, func(Ended) {})
		assert.Zero(t, most.Load(), "at once, of %d", atOnce)
		assert.Len(t, all, 4*atOnce)
	}
}

// TestQueueGoesOn: a job that fails ends no other; each outcome is reported once, and
// returned in the jobs' order.
func TestQueueGoesOn(t *testing.T) {
	wrong := errors.New("wrong")
	told, b, c := map[string]int{}, named("b"), named("c")
	all := Queue(t.Context(), 2, []Job{
		single("a", func(context.Context) error { return wrong }),
		{Cells: Group{b, c}, Do: func(_ context.Context, report func(Ended)) {
			report(Ended{Cell: c, Outcome: engine.Outcome{With: 1}})
			report(Ended{Cell: b, Outcome: engine.Outcome{With: 1}})
		}},
	}, func(e Ended) { told[e.Cell.Name()]++ })
	assert.Equal(t, map[string]int{"a": 1, "b": 1, "c": 1}, told)
	for i, want := range []engine.Outcome{{Err: wrong}, {With: 1}, {With: 1}} {
		assert.Equal(t, want, all[i].Outcome)
		assert.True(t, all[i].Begun)
		assert.Equal(t, []string{"a", "b", "c"}[i], all[i].Cell.Name())
	}
}

// TestQueueEnds: an interruption ends the jobs under way, and no other begins.
func TestQueueEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	all := Queue(ctx, 1, []Job{
		single("a", func(ctx context.Context) error { cancel(); <-ctx.Done(); return nil }),
		single("b", func(context.Context) error { panic("began") }),
	}, func(e Ended) { assert.Equal(t, "a", e.Cell.Name()) })
	assert.True(t, all[0].Begun)
	assert.False(t, all[1].Begun)
	assert.ErrorIs(t, all[1].Err, context.Canceled)
}
