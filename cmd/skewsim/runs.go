package main

import (
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/sim/engine"
)

// Builds are what runs of this app are started with.
func (a *App) Builds() engine.Made { return engine.BuildsOf(a.Builder()) }

// Runner executes the runs of this app.
func (a *App) Runner() *engine.Engine {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.runs == nil {
		a.runs = engine.New(engine.Config{Builds: a.Builds(), Tool: ToolVersion(), ProbeDir: builder.ProbeDir()})
	}
	return a.runs
}

// ToolVersion is the version that recordings and reports carry.
func ToolVersion() string { return ThisVersion().Version }
