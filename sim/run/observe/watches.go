package observe

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/fleet"
)

// CatchUpWithin is how long, at a stage's edge, the run waits for a watch that has not
// shown the stage's last write.
const CatchUpWithin = 5 * time.Second

// Reasons why the run itself closes watches.
var (
	errDraining = errors.New("the server is draining")
	errRunEnds  = errors.New("the run ends")
)

// WatchConfig is what the watches of a run need of it.
type WatchConfig struct {
	Known    *fleet.Known
	Recorder *Recorder
	Fleet    *fleet.Fleet
	Sync     func(context.Context) error // returns when every change of the store is recorded
	Note     func(string)
	Fail     func(error) // ends the run: its evidence cannot be written
}

// Watches are the WATCHes of a run: one of each kind through each replica, while the
// replica serves. They belong to no step, and end with the run at the latest.
type Watches struct {
	WatchConfig
	ctx    context.Context
	end    context.CancelCauseFunc
	within time.Duration
	mu     sync.Mutex
	open   map[watchKey]*watcher
	ended  bool
	going  sync.WaitGroup
}

// watchKey identifies a watch.
type watchKey struct {
	r                *fleet.Replica
	apiVersion, kind string
}

// NewWatches returns watches, none of which is open. They end with the context.
func NewWatches(ctx context.Context, c WatchConfig) *Watches {
	ctx, end := context.WithCancelCause(ctx)
	return &Watches{WatchConfig: c, ctx: ctx, end: end, within: CatchUpWithin, open: map[watchKey]*watcher{}}
}

// Watch opens a WATCH of every kind through every replica that has none yet.
func (all *Watches) Watch(ctx context.Context, s plan.Step) (string, error) {
	if err := all.Sync(ctx); err != nil {
		return "", err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(fleet.Workers)
	opened := 0
	for _, r := range all.Fleet.Live() {
		for _, served := range all.Known.ByRole[r.Role].Said.Resources {
			x := all.add(s.Number, r, served)
			if x == nil {
				continue
			}
			opened++
			group.Go(func() error { return fault.Guard(func() error { return x.begin(ctx) }) })
		}
	}
	return fmt.Sprintf("%d opened", opened), group.Wait()
}

// add returns a new watcher of the kind through the replica, nil if there is one already.
func (all *Watches) add(step int, r *fleet.Replica, served history.Resource) *watcher {
	all.mu.Lock()
	defer all.mu.Unlock()
	key := watchKey{r, served.APIVersion, served.Kind}
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

// gone forgets a watcher that has ended, so that the next watch step opens another.
func (all *Watches) gone(x *watcher) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.open[x.of] == x {
		delete(all.open, x.of)
	}
}

// through returns the open watches through the replica, nil for every replica.
func (all *Watches) through(r *fleet.Replica) []*watcher {
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

// Leave closes the watches through a replica that begins to drain, and returns when they
// are closed. The events until the server ends them would depend on how long that takes.
func (all *Watches) Leave(r *fleet.Replica) {
	for _, x := range all.through(r) {
		x.end(errDraining)
		<-x.done
	}
}

// Close ends every watch and waits until the last has been recorded.
func (all *Watches) Close() {
	all.mu.Lock()
	all.ended = true
	all.mu.Unlock()
	all.end(errRunEnds)
	all.going.Wait()
}

// CatchUp waits until every watch has shown the newest change of its kind: later events,
// and later changes of caches, say nothing about a server. A watch that does not get there
// in time is not waited for again.
func (all *Watches) CatchUp(ctx context.Context) error {
	if err := all.Sync(ctx); err != nil {
		return err
	}
	timeout := time.NewTimer(all.within)
	defer timeout.Stop()
	late := false
	for _, x := range all.through(nil) {
		target := all.Recorder.Memory.NewestOf(all.Known.ShownAs(x.of.r.Role, x.served))
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

// showsWithin is how long a step waits for a WATCH that is about to show its write.
const showsWithin = time.Second

// Shows reports whether the WATCH of a kind through a replica has shown everything up to a revision. It waits for
// one that is about to, and never again for one that was waited for in vain.
func (all *Watches) Shows(ctx context.Context, r *fleet.Replica, served history.Resource, revision int64) bool {
	all.mu.Lock()
	x := all.open[watchKey{r, served.APIVersion, served.Kind}]
	all.mu.Unlock()
	if x == nil {
		return false
	}
	timeout := time.NewTimer(showsWithin)
	defer timeout.Stop()
	for moved := x.progress(); !x.has(revision); moved = x.progress() {
		if x.late.Load() {
			return false
		}
		select {
		case <-moved:
		case <-x.done:
		case <-timeout.C:
			x.late.Store(true)
			return false
		case <-ctx.Done():
			return false
		}
	}
	return x.reached() >= revision
}

// Observe LISTs every kind of the plan, in each form, through every live replica: the edge
// of a stage. The replicas' watches must have caught up first: a LIST from a watch cache
// may lag behind a write, and prove nothing then.
func (all *Watches) Observe(ctx context.Context, s plan.Step, ls *Lists) (string, error) {
	if err := all.CatchUp(ctx); err != nil {
		return "", err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(fleet.Workers)
	n := 0
	for _, r := range all.Fleet.Live() {
		for _, served := range all.Known.ByRole[r.Role].Said.Resources {
			n += len(term.ListForms())
			group.Go(func() error {
				return fault.Guard(func() error { return ls.Through(s.Number, r, served).forms(ctx) })
			})
		}
	}
	return fmt.Sprintf("%d lists", n), group.Wait()
}
