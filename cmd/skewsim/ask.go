package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/sim/run"
)

// tellKept tells what earlier runs were told of the very builds and objects of a task.
// It starts no server and builds nothing, and executes nothing that the scenario's file
// names, as who is asked for its version would be: what nobody was asked yet, run will tell.
func (a *app) tellKept(ctx context.Context, t task) error {
	if len(t.programs) > 0 {
		return nil
	}
	for _, ref := range t.refs {
		if !a.isBuilt(ctx, ref) {
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
	r, err := a.newRecording(ctx, dir, t.plan, b, runFlags{})
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
func (a *app) isBuilt(ctx context.Context, ref servers.Reference) bool {
	switch ref.Scheme {
	case servers.SchemeManifests:
		return ref.Module == "" && a.isServerBuilt(ctx, ref.Manifests.Server)
	case servers.SchemeSource:
		return a.isSourceBuilt(ctx, ref)
	case servers.SchemeImage:
		return false // it may have to be pulled, and is asked for its version in a container
	case servers.SchemeModule:
		return a.isModuleBuilt(ctx, ref)
	case servers.SchemeRelease:
		built, err := cached()
		return err == nil && slices.ContainsFunc(built, func(b gobuild.Built) bool { return reference(b) == ref.String() })
	}
	return true
}

// isServerBuilt tells whether the kube-apiserver is there that something leans on, which
// is the newest that is built where none is named.
func (a *app) isServerBuilt(ctx context.Context, server string) bool {
	on, err := servers.ParseReference(cmp.Or(server, newestServer()))
	return err == nil && a.isBuilt(ctx, on)
}
