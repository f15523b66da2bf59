package fleet

import (
	"fmt"
	"path/filepath"
	"reflect"

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
		reflect.DeepEqual(f.Lead.Options.Of(term.Old), f.Lead.Options.Of(term.New))
}

// redefine has the server of a replica go on as one of the step's release, and returns the outcome in words. The
// gate to the store stays open: the server is the same.
func (f *Fleet) redefine(s plan.Step, before *Replica) (string, error) {
	build := f.Lead.Builds[s.Role]
	event := history.Server{Step: s.Number, Replica: s.Replica, Role: s.Role, Version: build.Version}
	tell := func(e history.ServerEvent, message string) {
		event.Event, event.Message = e, message
		f.Runs.Tell(event)
	}
	event.Log = filepath.Join("logs", filepath.Base(before.Process.LogPath()))
	tell(history.Starting, "no server starts: what is installed is replaced")
	process, err := f.Runtime.(servers.Redefiner).Redefine(f.ctx, before.Process, build)
	if err != nil {
		tell(history.Unready, err.Error())
		return "", fmt.Errorf("step %d (%s): %w", s.Number, s, err)
	}
	waited := fmt.Sprintf("served after %.1fs", process.ReadyAfter().Seconds())
	event.Seconds, event.Installed, event.Event, event.Message = process.ReadyAfter().Seconds(), installed(process), history.Ready, waited
	f.Runs.TellReady(event, process)
	f.heeding.Go(func() { f.heed(s.Number, s.Replica, s.Role, process) })
	conn, err := Connect(process, f.Runs.LongestList())
	if err != nil {
		process.Kill() // nobody else knows it
		return "", err
	}
	next := &Replica{Name: s.Replica, Role: s.Role, gate: before.gate, Process: process, Conn: conn, waited: waited, gone: make(chan struct{})}
	f.mu.Lock()
	f.serving[s.Replica] = next
	f.mu.Unlock()
	f.event(s.Number, s.Replica, s.Role, history.Serving, 0, "")
	f.event(s.Number, before.Name, before.Role, history.Draining, 0, "")
	f.Runs.Leave(before)
	close(before.gone)
	f.event(s.Number, before.Name, before.Role, history.Stopped, 0, "no server ended: it goes on as one of "+build.Version)
	return build.Version + " " + waited + f.degraded(next) + refusals(process), nil
}
