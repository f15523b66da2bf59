package probe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/source"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/published"
)

// Source finds out what releases publish.
type Source struct {
	// Build returns the build of a reference.
	Build func(ctx context.Context, ref servers.Reference) (servers.Build, error)
	// Runtime returns what starts servers.
	Runtime func(secrets, logs string) (servers.Runtime, error)
	// Temporary receives each directory that must not outlive the process; nil: nobody does.
	Temporary func(dir string)
	// Manifests returns the definitions of a reference. Nil: manifests are installed on a server,
	// which is asked.
	Manifests func(ctx context.Context, ref servers.Reference) (crd.Set, error)
	// Facts returns what the source of a build says; false: there is no source at hand. Nil: no
	// source is read.
	Facts Facts
}

// Options say how a release is asked.
type Options struct {
	// Adapter is the file that says how servers of Go modules are started; "": none.
	Adapter string
	// Kinds are the kinds that are asked for where definitions are read; nil: all.
	Kinds []string
	// Timeout is how long a server may take to start and to answer, without builds.
	Timeout time.Duration
	// EveryGate switches on the alpha and beta gates that the server has, because it serves some
	// versions and kinds only then. Features are those of a server at its defaults.
	EveryGate bool
}

// Get returns what a release publishes. The name is a reference, or a file or folder with OpenAPI
// v3 documents. Errors in the name and in files are of fault.User.
func (s Source) Get(ctx context.Context, name string, o Options) (published.Release, error) {
	if at, err := os.Stat(name); err == nil {
		return published.ReadFolder(name, at.IsDir())
	}
	ref, err := servers.ParseReference(name)
	if err != nil {
		return published.Release{}, fault.ByUser(fmt.Errorf("%w; nor is there such a file or folder", err))
	}
	ref.Manifests.Kinds = strings.Join(o.Kinds, ",")
	if ref.Scheme == servers.SchemeManifests && s.Manifests != nil {
		return s.Define(ctx, ref)
	}
	if ref.Scheme == servers.SchemeModule {
		ref.Adapter = o.Adapter
	}
	b, err := s.Build(ctx, ref)
	if err != nil {
		return published.Release{}, err
	}
	facts, missing, err := s.Facts.Of(ctx, b)
	if err != nil {
		return published.Release{}, err
	}
	ctx, cancel := engine.WithTimeout(ctx, o.Timeout)
	defer cancel()
	r, err := s.ask(ctx, b, o, facts)
	if err != nil {
		return r, engine.Late(ctx, err)
	}
	r.Missing = append(r.Missing, missing...)
	if facts != nil {
		r.Facts, err = json.Marshal(facts)
	}
	return r, err
}

// ask starts servers of a build, and asks them.
func (s Source) ask(ctx context.Context, b servers.Build, o Options, facts *source.Facts) (published.Release, error) {
	if !o.EveryGate {
		return s.start(ctx, b, nil)
	}
	if facts != nil && len(facts.Gates) > 0 {
		r, err := s.start(ctx, b, published.EveryGate(facts, published.Release{}))
		atDefaults(r, *facts)
		if !ended(err) {
			return r, err
		}
	}
	r, err := s.start(ctx, b, nil)
	on := published.EveryGate(nil, r)
	if err != nil || len(on) == 0 {
		return r, err
	}
	every, err := s.start(ctx, b, on)
	if ended(err) {
		r.Missing = append(r.Missing, fmt.Sprintf("%s: does not start with all alpha and beta gates: kinds and versions behind gates were not compared", r.Name))
		return r, nil
	}
	every.Features = r.Features
	return every, err
}

// ended reports whether a server ended instead of starting, as it does if its gates contradict
// each other.
func ended(err error) bool {
	var exit *servers.ExitError
	return errors.As(err, &exit)
}

// atDefaults replaces the states of gates, of a server that was started with all of them on, by
// their defaults.
func atDefaults(r published.Release, facts source.Facts) {
	for name, f := range r.Features {
		f.On = facts.Gates[name].Default
		r.Features[name] = f
	}
}

// start starts a server on a store of its own, with every version that it can serve, and asks it.
func (s Source) start(ctx context.Context, b servers.Build, gates map[string]bool) (r published.Release, err error) {
	server, err := Start(ctx, Config{
		Build: b, Runtime: s.Runtime, Temporary: s.Temporary, EveryAPI: true, Options: servers.Options{FeatureGates: gates},
	})
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	return published.Ask(ctx, server.Conn, b)
}

// Follows refuses an earlier release that is the later one, or of another server, as far as the
// names of both say. A name of files says nothing.
func Follows(older, newer string) error {
	return pairing.Pair{Old: named(older), New: named(newer)}.Check()
}

// named returns what a name says of a release; nothing, for files.
func named(name string) pairing.Release {
	ref, err := servers.ParseReference(name)
	if _, missing := os.Lstat(name); err != nil || missing == nil {
		return pairing.Release{}
	}
	return engine.ReleaseOf(ref)
}

// Define returns what a server publishes of manifests, without a server.
func (s Source) Define(ctx context.Context, ref servers.Reference) (published.Release, error) {
	r := published.Release{Name: ref.String(), Component: ref.Component, Version: ref.Version}
	set, err := s.Manifests(ctx, ref)
	if err != nil {
		return r, err
	}
	of, err := crd.Publish(set)
	if err != nil {
		return r, fault.ByUser(err)
	}
	r.Documents = of.Documents
	r.Define(of.Resources)
	if len(set.Unruled) > 0 {
		r.Missing = append(r.Missing, fmt.Sprintf("%s: conversion by webhook of %s: no file has its rules, and a comparison of definitions plays none", r.Name, strings.Join(set.Unruled, ", ")))
	}
	return r, nil
}
