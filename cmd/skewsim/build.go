package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/aggregated"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
)

// build makes a build once, one at a time, however many runs ask for it.
func (a *app) build(ctx context.Context, ref servers.Reference) (servers.Build, error) {
	if a.parent != nil {
		return a.parent.build(ctx, ref)
	}
	if ref.Scheme == servers.SchemeManifests {
		return a.buildManifests(ctx, ref) // what it is installed on is kept
	}
	if ref.Scheme == servers.SchemeModule {
		return a.buildModule(ctx, ref) // what it leans on is built before, by itself
	}
	return once(a, &a.built, ref, func() (servers.Build, error) {
		if err := a.known(ctx, ref); err != nil {
			return servers.Build{}, usage(err)
		}
		return a.buildNow(ctx, ref)
	})
}

// once makes what a key stands for, unless it was made before, one thing at a time. What
// fails is tried again, until it is given up. Who asks for what is there does not wait for
// what is not.
func once[K comparable, V any](a *app, made *map[K]V, key K, do func() (V, error)) (V, error) {
	there := func() (V, bool) {
		a.made.Lock()
		defer a.made.Unlock()
		v, ok := (*made)[key]
		return v, ok
	}
	if v, ok := there(); ok {
		return v, nil
	}
	a.building.Lock()
	defer a.building.Unlock()
	if v, ok := there(); ok {
		return v, nil
	}
	if err := a.gaveUp(key); err != nil {
		var none V
		return none, err
	}
	v, err := do()
	a.made.Lock()
	defer a.made.Unlock()
	if err == nil {
		*made = with(*made, key, v)
	}
	a.note(key, err)
	return v, err
}

// with is a map with one more entry; nil is an empty one.
func with[K comparable, V any](all map[K]V, key K, v V) map[K]V {
	if all == nil {
		all = map[K]V{}
	}
	all[key] = v
	return all
}

func (a *app) buildNow(ctx context.Context, ref servers.Reference) (servers.Build, error) {
	switch ref.Scheme {
	case servers.SchemePath:
		return kubeapiserver.FromPath(ctx, ref.Path)
	case servers.SchemeTrain:
		return frobberapiserver.Get(ctx, ref.Version)
	case servers.SchemeImage:
		return a.buildImage(ctx, ref)
	case servers.SchemeSource:
		return a.buildSource(ctx, ref)
	}
	cache, err := a.cache()
	if err != nil {
		return servers.Build{}, err
	}
	progress := newBuilding(a.err, ref.String())
	defer progress.done()
	if !ref.Preferred {
		return kubeapiserver.Get(ctx, cache, ref.Version, progress)
	}
	b, err := kubeapiserver.Prefer(ctx, cache, ref.Version, progress)
	if kubeapiserver.Unavailable(err) {
		err = fault.Wrap(fault.Unavailable, fmt.Errorf("%s cannot be had, nor another patch of its minor; play other releases: %w", ref, err))
	}
	return b, err
}

// newRuntime makes a runtime that starts builds of every component.
func (a *app) newRuntime(secrets, logs string) (servers.Runtime, error) {
	runtime, err := a.newSeeded(secrets, logs, "")
	if err == nil {
		a.runtime.Store(&runtime)
	}
	return runtime, err
}

// newSeeded makes one whose servers read what others of the same seed encrypted.
func (a *app) newSeeded(secrets, logs, seed string) (servers.Runtime, error) {
	below, err := apiserver.New(apiserver.Config{
		Components: []apiserver.Component{kubeapiserver.Component(), frobberapiserver.Component(), aggregated.Component()}, Dir: secrets, LogDir: logs, Kept: probeDir(), Seed: seed,
		Images: imageHost{a},
	})
	if err != nil {
		return nil, err
	}
	return crd.NewRuntime(aggregated.NewRuntime(below, secrets), secrets), nil
}

// probeDir keeps what builds say of themselves, beside the builds.
func probeDir() string {
	cache, err := gobuild.Place("")
	if err != nil {
		return "" // without a cache each run asks anew
	}
	return filepath.Join(cache, "probes")
}
