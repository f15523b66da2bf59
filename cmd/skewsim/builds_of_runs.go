package main

import (
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/engine/builds"
)

// builds are what runs of this app are started with.
func (a *app) builds() builds.Made { return builds.Of(a.builder()) }

// runner executes the runs of this app.
func (a *app) runner() *engine.Engine {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.runs == nil {
		a.runs = engine.New(engine.Config{Builds: a.builds(), Tool: toolVersion(), ProbeDir: builder.ProbeDir()})
	}
	return a.runs
}
