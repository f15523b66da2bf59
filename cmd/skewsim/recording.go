package main

import (
	"context"
	"errors"
	"os"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run"
)

// recording is a run directory with all that a run is played with, and recorded by.
type recording struct {
	dir     *runDir
	history *history.Writer
	runtime servers.Runtime
	stores  stores
	secrets string
	config  run.Config
}

// newRecording begins a run's history, and makes what its servers are started with.
// The clients are those of whoever plays it.
func (a *app) newRecording(ctx context.Context, dir *runDir, p *plan.Plan, b made, f runFlags) (*recording, error) {
	var err error
	if b.salt == "" {
		if b.salt, err = newSalt(); err != nil {
			return nil, err
		}
	}
	r := &recording{dir: dir, secrets: dir.file("secrets"), stores: a.newStores(dir, f.store)}
	if r.history, err = history.Create(dir.path, history.Header{Tool: toolVersion(), Salt: b.salt, Plan: *p, Store: a.toldStore(ctx, f.store)}); err != nil {
		return nil, err
	}
	a.secrets.Store(&r.secrets)
	if r.runtime, err = a.newSeeded(r.secrets, dir.file("logs"), b.keys); err != nil {
		return nil, errors.Join(err, context.Cause(ctx), r.history.Close()) // a second Ctrl-C takes the keys away
	}
	r.config = run.Config{
		Plan: p, Builds: b.servers, GateTags: a.gateTags(ctx, b.servers), Runtime: r.runtime, OpenStore: b.opener(r.stores), Dir: dir.path, Probes: probeDir(),
		Where: b.where, Place: b.place, History: r.history, Progress: &steps{w: b.teller(a.out), quiet: f.quiet},
	}
	return r, nil
}

// close ends the servers that are left, and removes keys and stores. The history is
// whole then.
func (r *recording) close() error {
	return errors.Join(r.runtime.Close(), r.stores.remove(), os.RemoveAll(r.secrets), r.history.Close())
}

// record runs the plan and leaves its history in the run directory. Ended is what
// ended the run early, unkept what could not be written, or cleared away.
func (a *app) record(ctx context.Context, dir *runDir, p *plan.Plan, b made, f runFlags) (ended, unkept error) {
	ctx, cancel := withTimeout(ctx, f.timeout)
	defer cancel()
	r, err := a.newRecording(ctx, dir, p, b, f)
	if err != nil {
		return nil, err
	}
	defer func() { unkept = errors.Join(unkept, r.close()) }()
	typed := newPrograms(b.clients, dir.file("logs"))
	defer typed.close()
	r.config.Clients = typed.clients()
	return run.Run(ctx, r.config), nil
}

// of are those of the programs that a run's plan has the builds of.
func (all programs) of(b made) map[term.Role]client.Program {
	clients := map[term.Role]client.Program{}
	for role := range b.clients {
		clients[role] = all[role]
	}
	return clients
}
