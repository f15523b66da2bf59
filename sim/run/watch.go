package run

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// catchUpWithin is how long, at a stage's edge, a watch is waited for that has
// not shown the stage's last write.
const catchUpWithin = 5 * time.Second

// Why watches are closed by the run itself.
var (
	errDraining = errors.New("the server is draining")
	errRunEnds  = errors.New("the run ends")
)

// watches are the WATCHes of a run: one of each kind through each replica, for
// as long as that serves. They belong to no step, and end with the run at the
// latest.
type watches struct {
	w      *walker
	ctx    context.Context
	end    context.CancelCauseFunc
	within time.Duration
	mu     sync.Mutex
	open   map[watched]*watcher
	ended  bool
	going  sync.WaitGroup
}

// watched is what a watch is of.
type watched struct {
	r                *replica
	apiVersion, kind string
}

func newWatches(ctx context.Context, w *walker) *watches {
	ctx, end := context.WithCancelCause(ctx)
	return &watches{w: w, ctx: ctx, end: end, within: catchUpWithin, open: map[watched]*watcher{}}
}

// watch opens a WATCH of every kind through every replica that has none yet.
func (w *walker) watch(ctx context.Context, s plan.Step) (string, error) {
	if err := w.convoy.sync(ctx); err != nil {
		return "", err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	opened := 0
	for _, r := range w.convoy.fleet.live() {
		for _, served := range w.known[r.role].release.Resources {
			x := w.watches.add(s.Number, r, served)
			if x == nil {
				continue
			}
			opened++
			group.Go(func() error { return guarded(func() error { return x.begin(ctx) }) })
		}
	}
	return fmt.Sprintf("%d opened", opened), group.Wait()
}

// add makes a watcher of the kind through the replica, nil when there is one.
func (all *watches) add(step int, r *replica, served history.Resource) *watcher {
	all.mu.Lock()
	defer all.mu.Unlock()
	key := watched{r, served.APIVersion, served.Kind}
	if all.ended || all.open[key] != nil {
		return nil
	}
	ctx, end := context.WithCancelCause(all.ctx)
	x := &watcher{
		all: all, w: all.w, step: step, of: key, served: served, ctx: ctx, end: end,
		moved: make(chan struct{}), done: make(chan struct{}),
	}
	all.open[key] = x
	return x
}

// gone forgets a watcher that has ended, so that the next watch step opens
// another.
func (all *watches) gone(x *watcher) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.open[x.of] == x {
		delete(all.open, x.of)
	}
}

// through are the open watches through the replica, nil for every replica.
func (all *watches) through(r *replica) []*watcher {
	all.mu.Lock()
	defer all.mu.Unlock()
	var found []*watcher
	for key, x := range all.open {
		if r == nil || key.r == r {
			found = append(found, x)
		}
	}
	return found
}

// leave closes the watches through a replica that begins to drain, and returns
// when they are: what they would still show, until the server ends them, would
// depend on how long that takes it.
func (all *watches) leave(r *replica) {
	for _, x := range all.through(r) {
		x.end(errDraining)
		<-x.done
	}
}

// close ends every watch and waits until the last has been recorded.
func (all *watches) close() {
	all.mu.Lock()
	all.ended = true
	all.mu.Unlock()
	all.end(errRunEnds)
	all.going.Wait()
}

// catchUp waits until every watch has shown the newest change of its kind: what
// a watch shows later, and what a cache holds later, tells nothing of a server.
// One that does not get there in time is not waited for again.
func (w *walker) catchUp(ctx context.Context) error {
	if err := w.convoy.sync(ctx); err != nil {
		return err
	}
	timeout := time.NewTimer(w.watches.within)
	defer timeout.Stop()
	late := false
	for _, x := range w.watches.through(nil) {
		target := w.memory.newestOf(w.shownAs(x.of.r.role, x.served))
		for moved := x.progress(); !late && !x.has(target); moved = x.progress() {
			select {
			case <-moved:
			case <-x.done:
			case <-timeout.C:
				late = true
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		if !x.has(target) {
			x.giveUp(target)
		}
	}
	return nil
}
