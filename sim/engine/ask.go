package engine

import (
	"context"
	"errors"
	"os"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/run"
	"github.com/skewsim/skewsim/sim/rundir"
)

// CheckKept checks the builds and objects of a run against the kept answers of servers in
// earlier runs. It starts no server, builds nothing, and executes nothing that the
// scenario's file names. The run itself finds what no server was asked about yet.
func (e *Engine) CheckKept(ctx context.Context, r Run, events Events) error {
	if len(r.Programs) > 0 {
		return nil
	}
	for _, ref := range r.Refs {
		if !e.config.Builds.IsBuilt(ctx, ref) {
			return nil
		}
	}
	builds, err := e.Servers(ctx, r.Refs)
	if err != nil {
		return nil // a plan needs none
	}
	return e.check(ctx, r, Parts{Servers: builds}, true, events)
}

// Ask starts a server of each release on scratch stores, and returns what they report as
// wrong with a run. It makes the builds that are missing.
func (e *Engine) Ask(ctx context.Context, r Run, events Events) error {
	parts, err := e.Build(ctx, &r, events.Warn)
	if err != nil {
		return err
	}
	return e.check(ctx, r, parts, false, events)
}

// check uses kept answers, or asks servers. It leaves only the logs of a server that did
// not start.
func (e *Engine) check(ctx context.Context, r Run, parts Parts, keptOnly bool, events Events) (err error) {
	at, err := os.MkdirTemp("", "skewsim-plan-")
	if err != nil {
		return err
	}
	dir, err := rundir.Open(at)
	if err != nil {
		return errors.Join(err, os.RemoveAll(at))
	}
	parts.where, parts.place = r.Scenario.Where, r.Scenario.Place
	rec, err := e.newRecording(ctx, dir, r.Plan, parts, Store{}, events)
	if err != nil {
		return errors.Join(err, dir.Close(), os.RemoveAll(at))
	}
	defer func() {
		err = errors.Join(err, rec.close(), dir.Close())
		if exit := (*servers.ExitError)(nil); !errors.As(err, &exit) {
			_ = os.RemoveAll(at) // nobody looks for it
		}
	}()
	rec.config.KeptOnly = keptOnly
	return run.Check(ctx, rec.config)
}
