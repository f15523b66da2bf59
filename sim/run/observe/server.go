package observe

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/stores"
)

// scratchServer is a scratch store and a server of one release over it, started as the
// replicas are. The runs of a journey share it.
type scratchServer struct {
	d       *Decoding
	role    term.Role
	labs    []*reader
	ahead   *prewarmed   // a server that waits for the store's values; nil: none
	started int          // how many servers it has had
	store   stores.Store // nil: none is open
	process servers.Process
	conn    *client.Connection // nil: no server is ready
}

func newBench(d *Decoding, role term.Role, all []*trials) *scratchServer {
	b := &scratchServer{d: d, role: role, ahead: d.takePrewarmed(role)}
	for _, t := range all {
		b.labs = append(b.labs, &reader{scratchServer: b, t: t})
	}
	return b
}

// work starts a server over the newest value of each key and has it read them all, one by
// one. Then it LISTs and WATCHes all objects, with each unreadable value back in its place,
// because one such value can break its whole resource. If some values were not in the store
// when the server started, it starts another server over them.
func (b *scratchServer) work(ctx context.Context) error {
	err := b.furnish(ctx)
	if err == nil && b.conn == nil {
		err = b.startEmpty(ctx)
	}
	if err != nil || b.conn == nil {
		return errors.Join(err, b.close())
	}
	return errors.Join(b.examine(ctx), b.close())
}

// examine tries the values of each run. A server that does not answer about one run's
// values ends the trials of that run only: that is their result.
func (b *scratchServer) examine(ctx context.Context) error {
	var answered, again []*reader
	for _, l := range b.labs {
		later, err := l.t.read(ctx, l)
		switch {
		case errors.Is(err, errSilent):
			continue
		case err != nil:
			return err
		case later:
			again = append(again, l)
		}
		answered = append(answered, l)
	}
	for _, l := range answered {
		err := l.t.survey(ctx, l)
		switch {
		case errors.Is(err, errSilent):
			again = slices.DeleteFunc(again, func(other *reader) bool { return other == l })
		case err != nil:
			return err
		}
	}
	if len(again) == 0 {
		return nil
	}
	b.kill()
	return b.start(ctx, again, true)
}

// furnish opens a store, puts the newest values there and starts a server over them.
// Afterwards no server is ready if none could start over them.
func (b *scratchServer) furnish(ctx context.Context) error {
	if err := b.open(ctx, ""); err != nil {
		return err
	}
	if err := b.fill(ctx); err != nil {
		return err
	}
	return b.start(ctx, b.labs, true)
}

func (b *scratchServer) fill(ctx context.Context) error {
	for _, l := range b.labs {
		if err := l.t.fill(ctx, l); err != nil {
			return err
		}
	}
	return nil
}

func (b *scratchServer) name() string { return "trial-" + string(b.role) }

// open opens a scratch store without a server.
func (b *scratchServer) open(ctx context.Context, suffix string) (err error) {
	if b.ahead != nil {
		b.store = b.ahead.store
		return nil
	}
	b.store, err = b.d.Open(ctx, b.name()+suffix)
	return err
}

// close ends the server and the store.
func (b *scratchServer) close() error {
	if b.ahead != nil {
		return b.ahead.giveUp()
	}
	b.kill()
	if b.store == nil {
		return nil
	}
	store := b.store
	b.store = nil
	return store.Close()
}

func (b *scratchServer) kill() {
	if b.process != nil {
		b.process.Kill()
	}
	b.process, b.conn = nil, nil
}

// start starts a server over the store's values, and records the start for the runs whose
// values are in the store, or that need to know that a server starts over an empty one. A
// server that does not become ready is a result of the trial, and ends nothing.
func (b *scratchServer) start(ctx context.Context, of []*reader, filled bool) error {
	name := b.name()
	if b.started++; b.started > 1 {
		name = fmt.Sprintf("%s-%d", name, b.started)
	}
	process, took, err := b.run(ctx, name)
	if ctx.Err() != nil {
		b.process = process
		return context.Cause(ctx)
	}
	if err != nil && !ofRelease(err) {
		return err
	}
	told := history.Trial{Trial: history.TrialStart, Seconds: took.Seconds(), Log: filepath.Join("logs", name+".log")}
	if err != nil {
		told.Error = err.Error()
		return b.tell(told, of, filled)
	}
	b.process = process
	if b.conn, err = fleet.Connect(process, b.d.Runs.LongestList()); err != nil {
		return err
	}
	return b.tell(told, of, filled)
}

// ofRelease reports whether the release may be the reason why a server did not become
// ready: the server exited by itself, or was not ready in time. A changed executable, a
// failing container engine or a kill says nothing about the release.
func ofRelease(err error) bool {
	var exit *servers.ExitError
	var late *servers.LateError
	return errors.As(err, &exit) && !exit.Killed() || errors.As(err, &late)
}

// tell records a start in the histories of the runs that it concerns.
func (b *scratchServer) tell(told history.Trial, of []*reader, filled bool) error {
	for _, l := range of {
		mine := told
		mine.Shared = len(b.labs) > 1
		if b.process != nil {
			lack := servers.LackOf(b.process, l.t.of.Known.Owned(b.role))
			mine.Lacks, mine.Settles = lack.String(), lack.Settles
		}
		if filled {
			mine.Values = len(l.t.keys)
		}
		if err := l.t.record(mine); err != nil {
			return err
		}
	}
	return nil
}

// run starts a server over the store's values, or the prewarmed one, and returns how long
// it took until it was ready.
func (b *scratchServer) run(ctx context.Context, name string) (servers.Process, time.Duration, error) {
	if s := b.ahead; s != nil {
		b.ahead = nil
		if s.waits() {
			return s.release()
		}
	}
	began := time.Now()
	process, err := b.d.Runtime.Start(ctx, b.d.Lead.Builds[b.role], servers.Placement{
		Name: name, Store: b.store.Store(), Options: b.d.Lead.Options.Of(b.role), Scratch: true, MayNotRead: b.d.Runs.Collections(b.role),
	})
	return process, time.Since(began), err
}

// startEmpty starts a server over an empty store, and then adds the values, because only a
// server can show which of them prevents a start.
func (b *scratchServer) startEmpty(ctx context.Context) error {
	if err := b.close(); err != nil {
		return err
	}
	if err := b.open(ctx, "-empty"); err != nil {
		return err
	}
	if err := b.start(ctx, b.labs, false); err != nil || b.conn == nil {
		return err
	}
	return b.fill(ctx)
}
