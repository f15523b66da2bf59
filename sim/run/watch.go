package run

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/guard"
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

// watchConfig is what the watches of a run need of it.
type watchConfig struct {
	known    *known
	recorder *recorder
	fleet    *fleet
	sync     func(context.Context) error // returns when every change of the store is recorded
	note     func(string)
	fail     func(error) // ends the run: its evidence cannot be written
}

// watches are the WATCHes of a run: one of each kind through each replica, for
// as long as that serves. They belong to no step, and end with the run at the
// latest.
type watches struct {
	watchConfig
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

func newWatches(ctx context.Context, c watchConfig) *watches {
	ctx, end := context.WithCancelCause(ctx)
	return &watches{watchConfig: c, ctx: ctx, end: end, within: catchUpWithin, open: map[watched]*watcher{}}
}

// watch opens a WATCH of every kind through every replica that has none yet.
func (all *watches) watch(ctx context.Context, s plan.Step) (string, error) {
	if err := all.sync(ctx); err != nil {
		return "", err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	opened := 0
	for _, r := range all.fleet.live() {
		for _, served := range all.known.byRole[r.role].said.Resources {
			x := all.add(s.Number, r, served)
			if x == nil {
				continue
			}
			opened++
			group.Go(func() error { return guard.Call(func() error { return x.begin(ctx) }) })
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
		all: all, step: step, of: key, served: served, ctx: ctx, end: end,
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
// a watch shows later, and what a cache holds later, says nothing of a server.
// One that does not get there in time is not waited for again.
func (all *watches) catchUp(ctx context.Context) error {
	if err := all.sync(ctx); err != nil {
		return err
	}
	timeout := time.NewTimer(all.within)
	defer timeout.Stop()
	late := false
	for _, x := range all.through(nil) {
		target := all.recorder.memory.newestOf(all.known.shownAs(x.of.r.role, x.served))
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

// observe LISTs every kind of the plan, in each form, through every live
// replica: the edge of a stage. The replicas' watches must have caught up
// first: a LIST from a watch cache may lag behind a write, and shows nothing
// then.
func (all *watches) observe(ctx context.Context, s plan.Step, ls *lists) (string, error) {
	if err := all.catchUp(ctx); err != nil {
		return "", err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	n := 0
	for _, r := range all.fleet.live() {
		for _, served := range all.known.byRole[r.role].said.Resources {
			n += len(term.ListForms())
			group.Go(func() error {
				return guard.Call(func() error { return ls.through(s.Number, r, served).forms(ctx) })
			})
		}
	}
	return fmt.Sprintf("%d lists", n), group.Wait()
}
