package campaign

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// turns has groups wait until their builds are there and there is room, in the order in
// which their builds came.
type turns struct {
	weights []int64
	memory  *semaphore.Weighted
	most    int64 // bytes: what one takes that would take more than there is
	runs    *semaphore.Weighted
	made    chan int // whose builds are there
	given   []chan struct{}
	groups  []prepared // from when their turn is given
	stopped chan struct{}
}

// prepared is a group whose builds were made. A cell that is in neither was done before.
type prepared struct {
	unmade []Ended // whose builds could not be made
	going  Group   // who is to be executed
}

func newTurns(room Room, all []Group) *turns {
	t := &turns{
		memory: semaphore.NewWeighted(max(1, room.Memory)), most: max(1, room.Memory), runs: semaphore.NewWeighted(int64(max(1, room.Runs))),
		made: make(chan int, len(all)), groups: make([]prepared, len(all)), stopped: make(chan struct{}),
	}
	for _, g := range all {
		t.weights = append(t.weights, min(g.memory(), t.most))
		t.given = append(t.given, make(chan struct{}))
	}
	return t
}

// ready says that a group's builds are there, and what of it is to be executed. A group of
// which nothing is needs no room, and has its turn at once.
func (t *turns) ready(i int, p prepared) {
	t.groups[i] = p
	if len(p.going) == 0 {
		close(t.given[i])
		return
	}
	t.made <- i
}

// close says that no other group's will be.
func (t *turns) close() { close(t.made) }

// give gives turns until ctx is done, or all have had theirs.
func (t *turns) give(ctx context.Context) {
	defer close(t.stopped)
	for i := range t.made {
		if t.runs.Acquire(ctx, 1) != nil || t.memory.Acquire(ctx, t.weights[i]) != nil {
			return
		}
		close(t.given[i])
	}
}

// wait waits for a group's turn; false: it never comes.
func (t *turns) wait(ctx context.Context, i int) (prepared, bool) {
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
		return prepared{}, false
	}
}

// end makes room for others.
func (t *turns) end(i int) {
	if len(t.groups[i].going) > 0 {
		t.runs.Release(1)
		t.memory.Release(t.weights[i])
	}
}
