package run

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/term"
)

// stopWithin is how long a server may take to end before it is killed.
const stopWithin = 20 * time.Second

// replica is one running server in its replica's place.
type replica struct {
	name    string // a, b, ...
	role    term.Role
	process servers.Process
	conn    *client.Connection
}

// fleet is the replicas, those that serve and those that warm up. When a
// roll-out begins, every server it needs starts at once: their release is in
// play from then on, so nothing is lost by having the later ones wait, warm,
// for their turn.
type fleet struct {
	w *walker
	// ctx bounds starting servers. It is the fleet's own, since a server that
	// warms up outlives the step that began it.
	ctx     context.Context
	end     context.CancelFunc
	mu      sync.Mutex
	serving map[string]*replica
	warming map[string]chan warmed
	started map[string]int // how many servers a replica has had
	leaving sync.WaitGroup
}

type warmed struct {
	replica *replica
	err     error
}

func newFleet(ctx context.Context, w *walker) *fleet {
	ctx, end := context.WithCancel(ctx)
	return &fleet{
		w: w, ctx: ctx, end: end, serving: map[string]*replica{}, warming: map[string]chan warmed{},
		started: map[string]int{},
	}
}

// live returns the serving replicas in the order of their names.
func (f *fleet) live() []*replica {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []*replica
	for _, name := range f.w.config.Plan.Replicas {
		if r := f.serving[name]; r != nil {
			all = append(all, r)
		}
	}
	return all
}

func (f *fleet) get(name string) (*replica, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.serving[name]; r != nil {
		return r, nil
	}
	return nil, fmt.Errorf("replica %s: not running", name)
}

func (f *fleet) start(s plan.Step) (string, error) {
	r, err := f.launch(s.Number, s.Replica, s.Role)
	if err != nil {
		return "", err
	}
	return f.serve(s, r)
}

// replace brings a replica to the other release: the new server serves before
// the old one ends, as a rolling upgrade of a highly available control plane has it.
func (f *fleet) replace(stage int, s plan.Step) (string, error) {
	f.warm(stage, s)
	f.mu.Lock()
	coming, before := f.warming[s.Replica], f.serving[s.Replica]
	delete(f.warming, s.Replica)
	f.mu.Unlock()
	got := <-coming
	if got.err != nil {
		return "", got.err
	}
	outcome, err := f.serve(s, got.replica)
	if err != nil {
		return "", err
	}
	gone := f.retire(s.Number, before)
	if !f.runs(before.role) {
		<-gone // a release that has left must not touch the store any more
	}
	return outcome, nil
}

// warm starts every server of the roll-out that begins with this stage.
func (f *fleet) warm(stage int, s plan.Step) {
	f.mu.Lock()
	begun := f.warming[s.Replica] != nil
	f.mu.Unlock()
	if begun {
		return
	}
	stages := f.w.config.Plan.Stages
	for i := stage; i < len(stages) && i < stage+len(f.w.config.Plan.Replicas); i++ {
		for _, step := range stages[i].Steps {
			if step.Action == plan.Replace {
				f.warmOne(step)
			}
		}
	}
}

func (f *fleet) warmOne(s plan.Step) {
	coming := make(chan warmed, 1)
	f.mu.Lock()
	f.warming[s.Replica] = coming
	f.mu.Unlock()
	f.leaving.Add(1)
	go func() {
		defer f.leaving.Done()
		var got warmed
		got.err = guarded(func() (err error) {
			got.replica, err = f.launch(s.Number, s.Replica, s.Role)
			return err
		})
		if got.err != nil {
			f.w.cancel(got.err) // at once, not when its turn comes
		}
		coming <- got
	}()
}

// launch starts a server; it does not serve yet.
func (f *fleet) launch(step int, name string, role term.Role) (*replica, error) {
	build := f.w.config.Builds[role]
	f.mu.Lock()
	f.started[name]++
	place := fmt.Sprintf("%s-%d", name, f.started[name])
	f.mu.Unlock()
	event := history.Server{Step: step, Replica: name, Role: role, Version: build.Version, Event: history.Starting,
		Log: filepath.Join("logs", place+".log")}
	if err := f.w.record(history.Record{Server: &event}); err != nil {
		return nil, err
	}
	process, err := f.w.config.Runtime.Start(f.ctx, build, servers.Placement{
		Name: place, Store: f.w.store.Store(), Options: f.w.options(role),
	})
	if err != nil {
		f.event(step, name, role, f.endOfStart(), 0, err.Error())
		return nil, fmt.Errorf("step %d (start %s at %s): %w", step, name, build.Reference, err)
	}
	f.event(step, name, role, history.Ready, process.ReadyAfter(), "")
	go f.heed(step, name, role, process)
	e := process.Endpoint()
	conn, err := client.Connect(client.Endpoint{URL: e.URL, CAData: e.CAData, Token: e.Token})
	if err != nil {
		process.Kill()
		return nil, err
	}
	return &replica{name: name, role: role, process: process, conn: conn}, nil
}

// endOfStart tells a start that the run gave up from one that failed.
func (f *fleet) endOfStart() history.ServerEvent {
	if f.ctx.Err() != nil {
		return history.Stopped
	}
	return history.Died
}

// heed ends the run when a server ends by itself.
func (f *fleet) heed(step int, name string, role term.Role, p servers.Process) {
	<-p.Done()
	if err := p.Err(); err != nil {
		f.event(step, name, role, history.Died, 0, err.Error())
		f.w.cancel(err)
	}
}

func (f *fleet) serve(s plan.Step, r *replica) (string, error) {
	f.mu.Lock()
	f.serving[s.Replica] = r
	f.mu.Unlock()
	f.event(s.Number, r.name, r.role, history.Serving, 0, "")
	return fmt.Sprintf("%s ready after %.1fs", f.w.config.Builds[r.role].Version, r.process.ReadyAfter().Seconds()), nil
}

// runs tells whether a serving replica runs the release.
func (f *fleet) runs(role term.Role) bool {
	for _, r := range f.live() {
		if r.role == role {
			return true
		}
	}
	return false
}

// retire stops a server beside whatever goes on.
func (f *fleet) retire(step int, r *replica) <-chan struct{} {
	gone := make(chan struct{})
	f.leaving.Add(1)
	f.event(step, r.name, r.role, history.Draining, 0, "")
	f.w.watches.leave(r)
	go func() {
		defer f.leaving.Done()
		defer close(gone)
		began := time.Now()
		ctx, cancel := context.WithTimeout(f.ctx, stopWithin) // a run that is given up waits for nobody
		defer cancel()
		message := ""
		if err := r.process.Stop(ctx); err != nil {
			message = err.Error()
		}
		f.event(step, r.name, r.role, history.Stopped, time.Since(began), message)
	}()
	return gone
}

func (f *fleet) stop(s plan.Step) (string, error) {
	for _, r := range f.live() {
		f.mu.Lock()
		delete(f.serving, r.name)
		f.mu.Unlock()
		f.retire(s.Number, r)
	}
	f.leaving.Wait()
	return "stopped", nil
}

// drain ends everything that still starts, warms up or serves, and waits for
// it: the way out of a run that did not reach its stop step.
func (f *fleet) drain() {
	f.w.watches.close()
	f.end()
	f.mu.Lock()
	serving, warming := f.serving, f.warming
	f.serving, f.warming = map[string]*replica{}, map[string]chan warmed{}
	f.mu.Unlock()
	for _, r := range serving {
		f.kill(r)
	}
	for _, coming := range warming {
		if got := <-coming; got.replica != nil {
			f.kill(got.replica)
		}
	}
	f.leaving.Wait()
}

func (f *fleet) kill(r *replica) {
	r.process.Kill()
	f.event(0, r.name, r.role, history.Stopped, 0, "killed: the run was given up")
}

func (f *fleet) event(step int, name string, role term.Role, e history.ServerEvent, took time.Duration, message string) {
	err := f.w.record(history.Record{Server: &history.Server{
		Step: step, Replica: name, Role: role, Version: f.w.config.Builds[role].Version,
		Event: e, Seconds: took.Seconds(), Message: message,
	}})
	if err != nil {
		f.w.cancel(err)
	}
}

func (w *walker) options(role term.Role) servers.Options {
	for _, r := range w.config.Plan.Releases {
		if r.Role == role {
			return servers.Options{
				FeatureGates: r.Options.FeatureGates, RuntimeConfig: r.Options.RuntimeConfig, Flags: r.Options.Flags,
			}
		}
	}
	return servers.Options{}
}
