package campaign

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// turns lets groups wait until their builds are made and there is room, in the order in
// which their builds were made.
type turns struct {
	weights []int64
	memory  *semaphore.Weighted
	most    int64 // bytes; a larger group takes all of it
	runs    *semaphore.Weighted
	made    chan int // groups whose builds are made
	given   []chan struct{}
	groups  []prepared // set before their turn
	stopped chan struct{}
}

// prepared is a group whose builds were made. A cell that is in neither list ended in an
// earlier matrix.
type prepared struct {
	unmade []Ended // cells whose builds failed
	going  Group   // cells to execute
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

// ready reports that a group's builds are made, and which of its cells are to be executed.
// A group without cells needs no room, and has its turn at once.
func (t *turns) ready(i int, p prepared) {
	t.groups[i] = p
	if len(p.going) == 0 {
		close(t.given[i])
		return
	}
	t.made <- i
}

// close reports that no other group will be ready.
func (t *turns) close() { close(t.made) }

// give gives turns until ctx is done or every group has had its turn.
func (t *turns) give(ctx context.Context) {
	defer close(t.stopped)
	for i := range t.made {
		if t.runs.Acquire(ctx, 1) != nil || t.memory.Acquire(ctx, t.weights[i]) != nil {
			return
		}
		close(t.given[i])
	}
}

// wait waits for a group's turn; it returns false if the turn never comes.
func (t *turns) wait(ctx context.Context, i int) (prepared, bool) {
	select {
	case <-t.given[i]:
		return t.groups[i], ctx.Err() == nil
	case <-ctx.Done():
	case <-t.stopped:
	}
	select {
	case <-t.given[i]: // given at the same moment
		return t.groups[i], ctx.Err() == nil
	default:
		return prepared{}, false
	}
}

// end frees the group's room.
func (t *turns) end(i int) {
	if len(t.groups[i].going) > 0 {
		t.runs.Release(1)
		t.memory.Release(t.weights[i])
	}
}
