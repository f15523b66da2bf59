package main

import (
	"context"
	"fmt"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/engine/builds"
)

// builds are what runs of this app are started with.
func (a *app) builds() engine.Builds { return builds.Of(a.builder()) }

// runner executes the runs of this app.
func (a *app) runner() *engine.Engine {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.runs == nil {
		a.runs = engine.New(engine.Config{Builds: a.builds(), Tool: toolVersion(), ProbeDir: builder.ProbeDir()})
	}
	return a.runs
}

// sources are where the builds of a matrix come from.
type sources struct {
	engine.Builds
	app *app
}

// Offered returns the releases that come with skewsim, those that are built, and with proxy
// those that the module proxy lists.
func (s sources) Offered(ctx context.Context, proxy bool) ([]servers.Reference, error) {
	var names []string
	for _, of := range s.app.builder().Releases(ctx) {
		names = append(names, frobberapiserver.Component().Name+"@"+of[0])
	}
	built, err := builtReleases()
	if err != nil {
		return nil, err
	}
	kubernetes := kubeapiserver.Component().Name
	for _, v := range built[kubernetes] {
		if v.Prerelease() == "" { // others may be of a checkout, which no version names
			names = append(names, kubernetes+"@"+v.Original())
		}
	}
	if proxy {
		offered, err := kubeapiserver.Offered(ctx)
		if err != nil {
			return nil, fmt.Errorf("--offered: %w", err)
		}
		for _, v := range offered {
			names = append(names, kubernetes+"@"+v)
		}
	}
	var all []servers.Reference
	for _, name := range names {
		ref, err := servers.ParseReference(name)
		if err != nil {
			return nil, err
		}
		all = append(all, ref)
	}
	return all, nil
}

// ModuleComponent returns the component that a module's adapter says.
func (s sources) ModuleComponent(ref servers.Reference) (string, error) {
	adapter, err := s.app.builder().ReadAdapter(ref)
	return adapter.Component, err
}
