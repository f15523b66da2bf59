package fleet

import (
	"fmt"
	"path/filepath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// redefines reports whether a step replaces only what is installed on the server of its replica, as users replace
// definitions: both releases are installed on one build, with equal options. With several replicas each has its own
// turn, and its own server.
func (f *Fleet) redefines(s plan.Step) bool {
	by, can := f.Runtime.(servers.Redefiner)
	old, later := f.Lead.Builds[term.Old], f.Lead.Builds[term.New]
	return can && s.Action == plan.Replace && len(f.Lead.Known.Plan.Replicas) == 1 && by.Redefines(old, later) &&
		f.Lead.Options.Of(term.Old).Equal(f.Lead.Options.Of(term.New))
}

// redefine has the server of a replica go on as one of the step's release, and returns the outcome in words. The
// gate to the store stays open: the server is the same.
func (f *Fleet) redefine(s plan.Step, before *Replica) (string, error) {
	event := history.Server{
		Step: s.Number, Replica: s.Replica, Role: s.Role, Version: f.Lead.Builds[s.Role].Version, Event: history.Starting,
		Log: filepath.Join("logs", filepath.Base(before.Process.LogPath())), Message: "no server starts: what is installed is replaced",
	}
	f.Runs.Tell(event)
	process, err := f.Runtime.(servers.Redefiner).Redefine(f.ctx, before.Process, f.Lead.Builds[s.Role])
	if err != nil {
		event.Event, event.Message = history.Unready, err.Error()
		f.Runs.Tell(event)
		return "", fmt.Errorf("step %d (%s): %w", s.Number, s, err)
	}
	next, err := f.ready(s, process, before.gate, 0, fmt.Sprintf("served after %.1fs", process.ReadyAfter().Seconds()))
	if err != nil {
		return "", err
	}
	outcome := f.serves(s, next, "")
	f.event(s.Number, before.Name, before.Role, history.Draining, 0, "")
	f.Runs.Leave(before)
	close(before.gone)
	f.event(s.Number, before.Name, before.Role, history.Stopped, 0, "no server ended: it goes on as one of "+event.Version)
	return outcome, nil
}
