package main

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/sim/run"
	"github.com/skewsim/skewsim/sim/term"
)

// tellKept tells what earlier runs were told of the very builds and objects of a task.
// It starts no server and builds nothing: what nobody was asked yet, run will tell.
func (a *app) tellKept(ctx context.Context, t task) error {
	for _, ref := range t.refs {
		if !isBuilt(ref) {
			return nil
		}
	}
	builds, err := a.builds(ctx, map[term.Role]servers.Reference{term.Old: t.refs[0], term.New: t.refs[1]})
	if err != nil {
		return nil // a plan needs none
	}
	return a.check(ctx, t, made{servers: builds}, true)
}

// ask has a server of each release say, on scratch stores, what is wrong with a task.
// It makes what it needs.
func (a *app) ask(ctx context.Context, t task) error {
	b, err := a.make(ctx, &t)
	if err != nil {
		return err
	}
	return a.check(ctx, t, b, false)
}

// check goes by what is kept, or asks. What it leaves is gone when it ends, but for the
// logs of a server that did not start.
func (a *app) check(ctx context.Context, t task, b made, keptOnly bool) (err error) {
	at, err := os.MkdirTemp("", "skewsim-plan-")
	if err != nil {
		return err
	}
	dir, err := openRunDir(at)
	if err != nil {
		return errors.Join(err, os.RemoveAll(at))
	}
	b.where, b.place = t.scenario.Where, t.scenario.Place
	r, err := a.newRecording(dir, t.plan, b, runFlags{})
	if err != nil {
		return errors.Join(err, dir.close(), os.RemoveAll(at))
	}
	defer func() {
		err = errors.Join(err, r.close(), dir.close())
		if exit := (*servers.ExitError)(nil); !errors.As(err, &exit) {
			_ = os.RemoveAll(at) // nobody looks for it
		}
	}()
	r.config.KeptOnly, r.config.Progress = keptOnly, &steps{w: a.err, quiet: true}
	return run.Check(ctx, r.config)
}

// isBuilt tells whether a build is there already.
func isBuilt(ref servers.Reference) bool {
	if ref.Scheme == servers.SchemeManifests {
		server := ref.Manifests.Server
		if server == "" {
			server = newestServer()
		}
		on, err := servers.ParseReference(server)
		return err == nil && ref.Module == "" && isBuilt(on)
	}
	if ref.Scheme == servers.SchemeModule {
		return moduleIsBuilt(ref)
	}
	if ref.Scheme == servers.SchemeImage {
		return false // it may have to be pulled, and is asked for its version in a container
	}
	if ref.Scheme != servers.SchemeRelease {
		return true
	}
	built, err := cached()
	return err == nil && slices.ContainsFunc(built, func(b gobuild.Built) bool { return reference(b) == ref.String() })
}
