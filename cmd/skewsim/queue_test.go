package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
)

// single is a job of one run.
func single(name string, do func(context.Context) error) job {
	return job{names: []string{name}, do: func(ctx context.Context, tell func(int, ended)) { tell(0, ended{err: do(ctx)}) }}
}

// TestQueueIsBounded: never more at once than asked for, and as many as asked for
// while there is more to do.
func TestQueueIsBounded(t *testing.T) {
	for _, atOnce := range []int{1, 2, 3} {
		var now, most atomic.Int64
		var full sync.WaitGroup // the first so many wait for one another
		full.Add(atOnce)
		var jobs []job
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
		all := doAll(t.Context(), atOnce, jobs, func(ended) {})
		assert.Zero(t, most.Load(), "at once, of %d", atOnce)
		assert.Len(t, all, 4*atOnce)
	}
}

// TestQueueGoesOn: a job that fails ends no other, and what came of each is told
// once, and given in the jobs' order.
func TestQueueGoesOn(t *testing.T) {
	wrong := errors.New("wrong")
	told := map[string]int{}
	all := doAll(t.Context(), 2, []job{
		single("a", func(context.Context) error { return wrong }),
		{names: []string{"b", "c"}, do: func(_ context.Context, tell func(int, ended)) {
			tell(1, ended{with: 1})
			tell(0, ended{with: 1})
		}},
	}, func(e ended) { told[e.name]++ })
	assert.Equal(t, map[string]int{"a": 1, "b": 1, "c": 1}, told)
	for i, want := range []ended{{name: "a", err: wrong, begun: true}, {name: "b", begun: true, with: 1}, {name: "c", begun: true, with: 1}} {
		assert.Equal(t, want, all[i])
	}
}

// TestQueueEnds: an interrupted queue ends the jobs that go on, and begins no other.
func TestQueueEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	all := doAll(ctx, 1, []job{
		single("a", func(ctx context.Context) error { cancel(); <-ctx.Done(); return nil }),
		single("b", func(context.Context) error { panic("began") }),
	}, func(e ended) { assert.Equal(t, "a", e.name) })
	assert.True(t, all[0].begun)
	assert.False(t, all[1].begun)
	assert.ErrorIs(t, all[1].err, context.Canceled)
}
