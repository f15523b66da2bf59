package run

import (
	"context"
	"sync"

	"github.com/skewsim/skewsim/servers/fault"
)

// meetings are the points of a journey at which the runs wait for each other.
type meetings struct {
	members int

	mu   sync.Mutex
	left map[*member]bool // runs that have ended
	at   map[string]*meeting
}

// meeting is a point of the journey that every run must have reached before an action is
// done for all of them, once.
type meeting struct {
	arrived  map[*member]bool
	complete chan struct{} // closed when all runs under way have arrived
	once     sync.Once
	outcome  string
	err      error
}

func newMeetings() *meetings {
	return &meetings{left: map[*member]bool{}, at: map[string]*meeting{}}
}

// join adds a run that the others wait for.
func (ms *meetings) join() { ms.members++ }

// hasLeft reports whether the others no longer wait for a run.
func (ms *meetings) hasLeft(w *member) bool {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	return ms.left[w]
}

// leave removes a run that the others wait for.
func (ms *meetings) leave(w *member) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	ms.left[w] = true
	for _, m := range ms.at {
		ms.complete(m)
	}
}

// complete opens a meeting if every run under way has arrived. The caller holds the lock.
func (ms *meetings) complete(m *meeting) {
	arrived := len(m.arrived)
	for w := range ms.left {
		if !m.arrived[w] {
			arrived++
		}
	}
	if arrived < ms.members {
		return
	}
	select {
	case <-m.complete:
	default:
		close(m.complete)
	}
}

// wait returns when every run has reached the point, or with an error when the context
// ends.
func (ms *meetings) wait(ctx context.Context, w *member, place string) (*meeting, error) {
	m := ms.arrive(w, place)
	select {
	case <-m.complete:
		return m, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (ms *meetings) arrive(w *member, place string) *meeting {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	m := ms.at[place]
	if m == nil {
		m = &meeting{arrived: map[*member]bool{}, complete: make(chan struct{})}
		ms.at[place] = m
	}
	m.arrived[w] = true
	ms.complete(m)
	return m
}

// do does the action once for all runs, and returns its outcome to each.
func (m *meeting) do(ctx context.Context, what func(context.Context) (string, error)) (string, error) {
	m.once.Do(func() {
		m.err = fault.Guard(func() (err error) {
			m.outcome, err = what(ctx)
			return err
		})
	})
	return m.outcome, m.err
}
