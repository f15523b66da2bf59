package play

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/examples"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/fuzz"
	"github.com/skewsim/skewsim/sim/objects"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Host is what a run needs from its caller. All fields are required.
type Host struct {
	Engine *engine.Engine // makes the builds
	Builds engine.Builds
	// Examples returns the objects in the source of a build.
	Examples func(ctx context.Context, b servers.Build, namespace string) (examples.All, error)
	// Runtime returns what starts servers.
	Runtime func(secrets, logs string) (servers.Runtime, error)
	// Opened is called when the run has its directory.
	Opened func()
	// Out receives notes while the run goes on, and its summary.
	Out io.Writer
	// Warn receives what the user should know beside.
	Warn func(text string)
}

// Run runs a request. The result holds what was found until then also where the error says
// why the run ended early; it is zero if the run did not begin. Errors in the request are of
// fault.User.
func Run(ctx context.Context, h Host, r Request) (result fuzz.Result, err error) {
	config, err := h.prepare(ctx, r)
	if err != nil {
		return result, err
	}
	dir, err := rundir.Open(r.Dir)
	if err != nil {
		return result, err
	}
	h.Opened()
	defer func() { err = errors.Join(err, dir.Close()) }()
	ctx, cancel := engine.WithTimeout(ctx, r.Timeout)
	defer cancel()
	result, err = h.run(ctx, dir, r.Store, config)
	return result, engine.Late(ctx, err)
}

// prepare makes the builds, and returns what package fuzz is to do with them.
func (h Host) prepare(ctx context.Context, r Request) (config fuzz.Config, err error) {
	config, err = r.config()
	options, optionsErr := r.options()
	if err = errors.Join(err, optionsErr); err != nil {
		return config, fault.ByUser(err)
	}
	if err := engine.Reachable(ctx, h.Builds, r.Store); err != nil {
		return config, err
	}
	refs, err := r.References()
	if err != nil {
		return config, fault.ByUser(err)
	}
	if config.Builds, err = h.Engine.Servers(ctx, []servers.Reference{refs[term.Old], refs[term.New]}); err != nil {
		return config, err
	}
	if err := engine.CheckBuilds(config.Builds); err != nil {
		return config, fault.ByUser(err)
	}
	config.Replay = engine.WithServer(config.Replay, config.Builds[term.New])
	config.Options = startedWith(options, config.Builds[term.Old])
	if r.RuntimeConfig == nil {
		switchAll(ctx, config)
	}
	config.GateTags, config.Examples = h.Builds.GateTags(ctx, config.Builds, h.Warn), h.examples(ctx, config.Builds)
	return config, nil
}

// startedWith returns options as the servers of each release are started with them.
func startedWith(given map[term.Role]scenarios.Options, old servers.Build) map[term.Role]servers.Options {
	all := map[term.Role]servers.Options{}
	for role, o := range given {
		all[role] = engine.StartWith(o, old)
	}
	return all
}

// switchAll has every API served by the releases whose servers let APIs be switched. Options
// of a release are laid over that.
func switchAll(ctx context.Context, c fuzz.Config) {
	for role, o := range c.Options {
		if builder.SwitchesAPIs(ctx, c.Builds[role]) {
			o.RuntimeConfig = scenarios.LaidOver(builder.EveryAPI(), o.RuntimeConfig)
			c.Options[role] = o
		}
	}
}

// examples returns the objects in the source of each release. It leaves out a release whose
// source is not available: its objects are made from schemas alone.
func (h Host) examples(ctx context.Context, builds map[term.Role]servers.Build) map[term.Role]objects.Examples {
	all := map[term.Role]objects.Examples{}
	for role, b := range builds {
		found, err := h.Examples(ctx, b, fuzz.Namespace)
		if err != nil {
			h.Warn(fmt.Sprintf("%s: its source cannot be read: %v; objects are made of what it publishes", b.Reference, err))
			continue
		}
		all[role] = objects.Examples(found.Stubs.Objects())
	}
	return all
}

// run runs package fuzz, and writes what was found, however the run ended.
func (h Host) run(ctx context.Context, dir *rundir.Dir, at engine.Store, c fuzz.Config) (result fuzz.Result, err error) {
	secrets := dir.File("secrets")
	runtime, err := h.Runtime(secrets, dir.File("logs"))
	if err != nil {
		return result, err
	}
	shared := func(string) bool { return true } // both releases are asked on each
	all := engine.Stores{Dir: dir, Store: at, Builds: h.Builds, Shared: shared, Warn: func(text string) { h.Warn("skewsim: " + text) }}
	c.Runtime = runtime
	c.OpenStore = func(ctx context.Context, name string) (fuzz.Store, error) { return all.Open(ctx, name) }
	c.Note = func(text string) { fmt.Fprintln(h.Out, text) }
	result, runErr := fuzz.Run(ctx, c)
	err = errors.Join(runtime.Close(), all.Remove(), os.RemoveAll(secrets), write(dir, &result))
	if len(result.Laps) > 0 || ctx.Err() != nil {
		err = errors.Join(err, fuzz.Text(h.Out, result))
	}
	return result, engine.Advise(errors.Join(runErr, err))
}
