package main

import (
	"context"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/container"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/sim/engine"
	made "github.com/skewsim/skewsim/sim/engine/builds"
)

// builds makes what runs are started with: it is the engine.Builds of the command line.
type builds struct{ app *app }

// runner executes the runs of this app, and of those that it is the parent of.
func (a *app) runner() *engine.Engine {
	if a.parent != nil {
		return a.parent.runner()
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.runs == nil {
		a.runs = engine.New(engine.Config{Builds: builds{a}, Tool: toolVersion(), ProbeDir: builder.ProbeDir()})
	}
	return a.runs
}

func (b builds) of() engine.Builds { return made.Of(b.app.builder()) }

func (b builds) Known(ctx context.Context, refs ...servers.Reference) error {
	return b.app.builder().Check(ctx, refs...)
}

func (b builds) CheckReplaced(ctx context.Context, s *scenarios.Scenario, refs ...servers.Reference) error {
	return b.of().CheckReplaced(ctx, s, refs...)
}

func (b builds) CheckAdapters(s *scenarios.Scenario, refs ...servers.Reference) error {
	return b.of().CheckAdapters(s, refs...)
}

func (b builds) IsBuilt(ctx context.Context, ref servers.Reference) bool {
	return b.app.builder().IsBuilt(ctx, ref)
}

func (b builds) Build(ctx context.Context, ref servers.Reference) (servers.Build, error) {
	return b.app.builder().Build(ctx, ref)
}

func (b builds) TypedClients(ctx context.Context, c engine.ClientRoles, all map[term.Role]servers.Build, say func(string)) (map[term.Role]typedclient.Build, error) {
	return b.of().TypedClients(ctx, c, all, say)
}

func (b builds) GateTags(ctx context.Context, all map[term.Role]servers.Build, say func(string)) map[term.Role][]byte {
	return b.of().GateTags(ctx, all, say)
}

func (b builds) Runtime(secrets, logs, seed string) (servers.Runtime, error) {
	return b.of().Runtime(secrets, logs, seed)
}

func (b builds) EtcdImage(ctx context.Context, name string) (*container.Engine, servers.Build, error) {
	return b.of().EtcdImage(ctx, name)
}
