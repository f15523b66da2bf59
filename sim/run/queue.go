package run

import (
	"context"

	"github.com/skewsim/skewsim/sim/plan"
)

// queue lets the operations of one copy wait for each other, in the plan's order.
// Operations on different copies run concurrently.
type queue struct {
	before []int           // by step: the previous one of the same copy; -1: none
	left   []chan struct{} // by step: closed once it was executed
}

func newQueue(steps []plan.Step) queue {
	q := queue{before: make([]int, len(steps)), left: make([]chan struct{}, len(steps))}
	last := map[string]int{}
	for i, s := range steps {
		q.before[i], q.left[i] = -1, make(chan struct{})
		if s.Copy == "" {
			continue
		}
		if before, met := last[s.Copy]; met {
			q.before[i] = before
		}
		last[s.Copy] = i
	}
	return q
}

// wait returns when the step's turn has come, or with an error when the context has ended.
// A waiting step occupies a worker: the steps it waits for got theirs before it.
func (q queue) wait(ctx context.Context, i int) error {
	if before := q.before[i]; before >= 0 {
		select {
		case <-ctx.Done():
		case <-q.left[before]:
		}
	}
	return ctx.Err()
}

// leave notes that a step was executed, or will not be.
func (q queue) leave(i int) { close(q.left[i]) }
