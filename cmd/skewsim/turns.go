package main

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// turns has journeys wait until their builds are there and there is room, in the order
// in which their builds came.
type turns struct {
	weights  []int64
	memory   *semaphore.Weighted
	most     int64 // bytes: what one takes that would take more than there is
	journeys *semaphore.Weighted
	made     chan int // whose builds are there
	given    []chan struct{}
	groups   []group // by journey, from when its turn is given
	stopped  chan struct{}
}

func newTurns(room capacity, all []company) *turns {
	t := &turns{
		memory: semaphore.NewWeighted(max(1, room.memory)), most: max(1, room.memory), journeys: semaphore.NewWeighted(int64(max(1, room.journeys))),
		made: make(chan int, len(all)), groups: make([]group, len(all)), stopped: make(chan struct{}),
	}
	for _, c := range all {
		t.weights = append(t.weights, min(memoryOf(c), t.most))
		t.given = append(t.given, make(chan struct{}))
	}
	return t
}

// ready says that a journey's builds are there, and what of it is to be played. One of
// which nothing is needs no room, and has its turn at once.
func (t *turns) ready(i int, g group) {
	t.groups[i] = g
	if len(g.going) == 0 {
		close(t.given[i])
		return
	}
	t.made <- i
}

// close says that no other journey's will be.
func (t *turns) close() { close(t.made) }

// give gives turns until ctx is done, or all have had theirs.
func (t *turns) give(ctx context.Context) {
	defer close(t.stopped)
	for i := range t.made {
		if t.journeys.Acquire(ctx, 1) != nil || t.memory.Acquire(ctx, t.weights[i]) != nil {
			return
		}
		close(t.given[i])
	}
}

// wait waits for a journey's turn; false: it never comes.
func (t *turns) wait(ctx context.Context, i int) (group, bool) {
	select {
	case <-t.given[i]:
		return t.groups[i], ctx.Err() == nil
	case <-ctx.Done():
	case <-t.stopped:
	}
	select {
	case <-t.given[i]: // it came with the last
		return t.groups[i], ctx.Err() == nil
	default:
		return group{}, false
	}
}

// end makes room for others.
func (t *turns) end(i int) {
	if len(t.groups[i].going) > 0 {
		t.journeys.Release(1)
		t.memory.Release(t.weights[i])
	}
}
