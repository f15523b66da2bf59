package act

import (
	"context"
	"sync"
)

// questions are asked once for all who have the same: the first asks, and the others wait for what comes of it.
type questions[Q comparable] struct {
	mu    sync.Mutex
	asked map[Q]*answered
}

// answered is the state of a question: agrees can be read once done is closed.
type answered struct {
	done   chan struct{}
	agrees bool
}

// take returns the state of a question, and whether it is the caller who has to ask it, and to close done.
func (qs *questions[Q]) take(q Q) (*answered, bool) {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	if known := qs.asked[q]; known != nil {
		return known, false
	}
	if qs.asked == nil {
		qs.asked = map[Q]*answered{}
	}
	mine := &answered{done: make(chan struct{})}
	qs.asked[q] = mine
	return mine, true
}

// forget has every question asked again.
func (qs *questions[Q]) forget() {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	clear(qs.asked)
}

// wait returns whether what came of the question agrees, once somebody has asked it.
func (a *answered) wait(ctx context.Context) (agrees bool, err error) {
	select {
	case <-a.done:
		return a.agrees, nil
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}
