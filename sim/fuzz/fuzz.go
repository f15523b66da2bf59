package fuzz

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/objects"
)

// Config is the configuration of a run.
type Config struct {
	// Builds are the builds of both releases.
	Builds map[term.Role]servers.Build
	// GateTags are the feature gates that the source of each release names for its fields,
	// as package schema reads them. A release without an entry uses the gates that it
	// publishes.
	GateTags map[term.Role][]byte
	// Options are the options of each release's servers. Laps do not switch gates that are
	// named here.
	Options map[term.Role]servers.Options
	// Runtime starts the builds.
	Runtime servers.Runtime
	// OpenStore starts an empty store below the given name.
	OpenStore func(ctx context.Context, name string) (Store, error)
	// Kinds are the kinds to generate: Gadget, or Gadget.example.com. It may be empty if
	// both releases serve only one kind.
	Kinds []string
	// Features are the gates that are off in one lap and on in the other. Nil: those that a
	// published field of the kinds needs. A gate that neither release lets an operator
	// switch, or that Options set, is a RequestError.
	Features []string
	// Examples are objects of the releases' own source. They may be nil.
	Examples map[term.Role]objects.Examples
	// Seed, Count and Only select the objects: Count of them, or only the one with number
	// Only, of a single kind. A Count that does not create every kind everywhere is a
	// RequestError.
	Seed  int64
	Count int
	Only  *int
	// Replay is the command that generates the same objects, without --kind and --only.
	Replay string
	// Note receives the progress of the run; it may be nil.
	Note func(text string)
}

// Store is an etcd that servers share.
type Store interface {
	Store() servers.Store
	Close() error
}

// Run generates the objects, sends them on their trips, and judges. After an error the
// result holds what was seen until then. The death of a server is a [servers.ExitError].
func Run(ctx context.Context, c Config) (Result, error) {
	if c.Note == nil {
		c.Note = func(string) {}
	}
	result := Result{Seed: c.Seed, Count: c.Count, Only: c.Only, Replay: c.Replay, named: len(c.Kinds) > 0}
	result.Server = serverOf(c.Builds[term.New])
	f := &fuzzer{config: c, result: &result, byKey: map[string]int{}}
	err := fault.Guard(func() error { return f.run(ctx) })
	result.Ended = whyEnded(ctx, err)
	result.judge()
	return result, err
}

// serverOf returns the server that a build needs, as users name it; "" without one.
func serverOf(b servers.Build) string {
	switch {
	case b.Installs != nil:
		return b.Installs.Server.Reference
	case b.Aggregated != nil:
		return b.Aggregated.Core.Reference
	}
	return ""
}

// fuzzer is a run.
type fuzzer struct {
	config   Config
	result   *Result
	byKey    map[string]int // index in result.Findings
	kinds    []string
	coverage coverage
}

func (f *fuzzer) run(ctx context.Context) error {
	laps, err := f.plan(ctx)
	if err != nil {
		return err
	}
	for _, lap := range laps {
		if err := f.ride(ctx, lap); err != nil {
			return err
		}
	}
	return nil
}

// plan asks both releases, on a scratch store, which kinds there are to generate and which
// features to switch.
func (f *fuzzer) plan(ctx context.Context) (laps []lapPlan, err error) {
	err = f.with(ctx, "ask", lapPlan{}, func(releases map[term.Role]*Release) error {
		old, new := releases[term.Old], releases[term.New]
		if f.kinds, err = kindsOf(old, new, f.config.Kinds); err != nil {
			return err
		}
		if err := f.oneKind(); err != nil {
			return err
		}
		features := f.config.Features
		if err := unswitchable(old, new, features, f.given); err != nil {
			return err
		}
		if features == nil {
			features = slices.DeleteFunc(featuresOf(old, new, f.kinds), f.given)
		}
		f.result.Old, f.result.New, f.result.Kinds, f.result.Features = old.Version, new.Version, f.kinds, features
		laps = lapsOf(releases, features)
		return f.enough(releases)
	})
	return laps, err
}

// oneKind refuses to run a single object without a single kind.
func (f *fuzzer) oneKind() error {
	if f.config.Only == nil || len(f.kinds) == 1 {
		return nil
	}
	return &servers.RequestError{Err: fault.Optionf("{only} %d: each kind numbers its own objects: name one of %s with {kind}", *f.config.Only, strings.Join(f.kinds, ", "))}
}

// given reports whether the user sets a gate.
func (f *fuzzer) given(gate string) bool {
	for _, options := range f.config.Options {
		if _, decided := options.FeatureGates[gate]; decided {
			return true
		}
	}
	return false
}

// with starts a server of each release on a store of their own, and stops both afterwards.
func (f *fuzzer) with(ctx context.Context, name string, lap lapPlan, do func(map[term.Role]*Release) error) (err error) {
	store, err := f.config.OpenStore(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	roles := []term.Role{term.Old, term.New}
	running := make([]*Release, len(roles))
	processes := make([]servers.Process, len(roles))
	defer func() {
		for _, p := range processes {
			if p != nil {
				p.Kill()
			}
		}
	}()
	group, starting := errgroup.WithContext(ctx)
	if f.shared() {
		group.SetLimit(1) // one after the other: each is asked what it serves while its own manifests are installed
	}
	for i, role := range roles {
		group.Go(func() error {
			return fault.Guard(func() (err error) {
				processes[i], running[i], err = f.start(starting, store, name, role, lap)
				return err
			})
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	releases := map[term.Role]*Release{}
	for i, role := range roles {
		releases[role] = running[i]
	}
	return do(releases)
}

// start starts one server, and asks which kinds it serves.
func (f *fuzzer) start(ctx context.Context, store Store, name string, role term.Role, lap lapPlan) (servers.Process, *Release, error) {
	options := f.config.Options[role]
	gates := maps.Clone(options.FeatureGates)
	if gates == nil {
		gates = map[string]bool{}
	}
	maps.Copy(gates, lap.gates[role])
	options.FeatureGates = gates
	var followed []string
	process, err := servers.StartFollowing(func(try int) (servers.Process, error) {
		at := servers.Placement{Name: name + "-" + string(role), Store: store.Store(), Options: options}
		if try > 1 {
			at.Name = fmt.Sprintf("%s-%d", at.Name, try)
		}
		return f.config.Runtime.Start(ctx, f.config.Builds[role], at)
	}, func(ended error) bool {
		if len(lap.gates[role]) == 0 {
			return false
		}
		more := servers.FollowGates(ended, lap.on, gates, f.given)
		followed = append(followed, more...)
		return len(more) > 0
	})
	if err != nil {
		return nil, nil, fmt.Errorf("start %s: %w", f.config.Builds[role].Reference, err)
	}
	e := process.Endpoint()
	conn, err := client.Connect(client.Endpoint{URL: e.URL, CAData: e.CAData, Token: e.Token, Panicked: func(ctx context.Context, auditID string) *client.Panic {
		return (*client.Panic)(servers.AwaitPanic(ctx, process, auditID))
	}})
	if err != nil {
		return process, nil, err
	}
	r, err := Ask(ctx, f.config.Builds[role], conn, f.config.Kinds, f.config.GateTags[role])
	if installer, ok := process.(servers.Installer); ok && err == nil {
		err = r.RefusedManifest(installer.Installed())
	}
	if r != nil {
		r.Followed, r.Process = followed, process
	}
	return process, r, err
}

// ride sends every object on its trip in one state of the features.
func (f *fuzzer) ride(ctx context.Context, plan lapPlan) error {
	f.config.Note(fmt.Sprintf("features %s: starting %s and %s on one store", plan.name, f.result.Old, f.result.New))
	return f.with(ctx, "lap-"+nameOf(plan.name), plan, func(releases map[term.Role]*Release) error {
		if err := f.enough(releases); err != nil { // features may add a version
			return err
		}
		f.noteUnshared(plan.name, releases)
		if err := prepare(ctx, releases[term.New].Conn); err != nil {
			return err
		}
		l := &lap{fuzzer: f, plan: plan, releases: releases, turns: f.turnsOf(releases)}
		trips, err := l.all(ctx)
		if err := l.conclude(ctx, trips, l.bury(ctx, err, trips)); err != nil {
			return err
		}
		return l.bury(ctx, l.behindFeatures(ctx), nil)
	})
}

func nameOf(lap string) string {
	if lap == "off" || lap == "on" {
		return lap
	}
	return "only"
}

// prepare creates the namespace for objects. A server without the core API has no
// namespaces, and needs none.
func prepare(ctx context.Context, conn *client.Connection) error {
	body := []byte(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"` + Namespace + `"}}`)
	a := conn.Do(ctx, client.Request{Method: http.MethodPost, Path: "/api/v1/namespaces", ContentType: client.JSONContent, Body: body})
	if a.Err != nil {
		return a.Err
	}
	if !a.Succeeded() && a.Code != http.StatusNotFound && a.Code != http.StatusConflict {
		return fmt.Errorf("create the namespace %s: answered %d: %s", Namespace, a.Code, Words(a))
	}
	return nil
}
