package run

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/term"
)

// Config is what a run needs beside the plan.
type Config struct {
	Plan *plan.Plan
	// Builds are the builds of both releases.
	Builds map[term.Role]servers.Build
	// Clients are the typed clients of both releases. Of a kind, or a release,
	// that they are missing for, types are approximated by its schema.
	Clients map[term.Role]client.Program
	// Runtime starts the builds.
	Runtime servers.Runtime
	// OpenStore starts an empty store below the given name: "store" is the
	// shared one, others are scratch.
	OpenStore func(ctx context.Context, name string) (Store, error)
	// Dir is the run directory: it takes schemas/ and its history.
	Dir string
	// Probes is a directory that keeps what builds say of themselves between
	// runs; "" keeps nothing.
	Probes string
	// History takes the record.
	History *history.Writer
	// Progress is told of each step. Nil: nobody is.
	Progress Progress
}

// Store is an etcd that servers share.
type Store interface {
	Store() servers.Store
	// Gate makes a way into the store for one server alone.
	Gate() (servers.Gate, error)
	// Follow calls each for every change from revision 1 on, in order.
	Follow(ctx context.Context, each func(StoreChange)) (Follower, error)
	// Put stores a value under a key.
	Put(ctx context.Context, key string, value []byte) error
	// At reads what a key held at a revision: a store forgets nothing.
	At(ctx context.Context, key string, revision int64) ([]byte, error)
	// Done is closed when the store has ended by itself; Err then says why.
	Done() <-chan struct{}
	Err() error
	Close() error
}

// StoreChange is one change of one key.
type StoreChange struct {
	Key               string
	Value             []byte
	Revision, Created int64
	Version           int64
	Deleted           bool
}

// Follower follows a store.
type Follower interface {
	// Sync returns when every change up to now has been delivered.
	Sync(ctx context.Context) error
	Done() <-chan struct{}
	Err() error
}

// Progress is told what a run does, in the order of the plan.
type Progress interface {
	// Stage tells that a stage begins.
	Stage(s plan.Stage)
	// Step tells what a step came to: "201, revision 214".
	Step(s plan.Step, outcome string)
	// Note tells of something beside the steps.
	Note(text string)
}

// Run walks the plan. The history ends with how the run ended; the error says
// the same. Refused objects are *RefusedError, dead servers *servers.ExitError.
func Run(ctx context.Context, c Config) error {
	if c.Progress == nil {
		c.Progress = silent{}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err := guarded(func() error { return walk(ctx, cancel, c) })
	// An unwritable history has ended the run already, with the same error.
	if end := c.History.Write(history.Record{End: ending(err)}); end != nil && !errors.Is(err, end) {
		err = errors.Join(err, end)
	}
	return err
}

// guarded turns a panic into an error, so that the evidence so far is closed
// and reported as it should be. Every goroutine needs it: a panic in one ends
// the process, and leaves servers behind.
func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("skewsim itself broke, please report it: %v\n%s", r, debug.Stack())
		}
	}()
	return f()
}

func ending(err error) *history.End {
	switch {
	case err == nil:
		return &history.End{Outcome: history.Finished}
	case errors.Is(err, context.Canceled):
		return &history.End{Outcome: history.Interrupted, Message: "interrupted"}
	case errors.Is(err, context.DeadlineExceeded):
		return &history.End{Outcome: history.Interrupted, Message: "out of time"}
	}
	return &history.End{Outcome: history.Failed, Message: err.Error()}
}

// walk is the whole run: know the releases, follow the store, walk the stages.
func walk(ctx context.Context, cancel context.CancelCauseFunc, c Config) error {
	w := newWalker(ctx, c, cancel)
	defer w.close()
	return because(ctx, w.play(ctx))
}

// because is why the run ended: what ended the context, for the rest only
// follows from it. It is asked before anything is closed, since closing ends
// the store's follower too.
func because(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && err != nil {
		return cause
	}
	return err
}

func (w *walker) play(ctx context.Context) error {
	if err := w.open(ctx); err != nil {
		return err
	}
	for i, stage := range w.config.Plan.Stages {
		if err := w.stage(ctx, i, stage); err != nil {
			return err
		}
	}
	return w.follower.Sync(ctx)
}

// open learns what the releases say of themselves, on scratch stores, while
// the shared store starts.
func (w *walker) open(ctx context.Context) error {
	releases := make(chan error, 1)
	go func() { releases <- guarded(func() error { return w.probe(ctx) }) }()
	err := guarded(func() error { return w.openStore(ctx) }) // the other half must end first
	return errors.Join(<-releases, err)
}

func (w *walker) openStore(ctx context.Context) error {
	store, err := w.config.OpenStore(ctx, "store")
	if err != nil {
		return err
	}
	w.store = store
	follower, err := store.Follow(ctx, func(c StoreChange) {
		if err := guarded(func() error { return w.recordChange(c) }); err != nil {
			w.cancel(err)
		}
	})
	if err != nil {
		return err
	}
	w.follower = follower
	go w.heed(store.Done(), store.Err)
	go w.heed(follower.Done(), follower.Err)
	return nil
}

// heed ends the run when something that it stands on ends by itself.
func (w *walker) heed(done <-chan struct{}, why func() error) {
	<-done
	if err := why(); err != nil {
		w.cancel(err)
	}
}

func (w *walker) close() {
	if w.trials != nil {
		w.trials.giveUp()
	}
	if err := w.dismissStandbys(); err != nil {
		w.config.Progress.Note(err.Error())
	}
	w.fleet.drain()
	if w.store == nil {
		return
	}
	if err := w.store.Close(); err != nil {
		w.config.Progress.Note(err.Error())
	}
}

type silent struct{}

func (silent) Stage(plan.Stage)       {}
func (silent) Step(plan.Step, string) {}
func (silent) Note(string)            {}
