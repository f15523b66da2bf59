package fleet

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// stopWithin is how long a server may take to end before it is killed.
const stopWithin = 20 * time.Second

// Replica is a server that runs as one of the plan's replicas.
type Replica struct {
	Name    string // a, b, ...
	Role    term.Role
	gate    servers.Gate
	Process servers.Process
	Conn    *client.Connection
	waited  string        // how long it took to be ready, in words
	gone    chan struct{} // closed when a retired server has ended
}

// Config is what a fleet needs of the runs that it serves.
type Config struct {
	Lead    *Lead // it may become another run's before the first server starts
	Runs    Runs
	Runtime servers.Runtime
	Gate    func() (servers.Gate, error) // opens a gate to the shared store
}

// Lead is the run whose plan says what the servers are started with, and when.
type Lead struct {
	Known   *Known
	Builds  map[term.Role]servers.Build
	Options *Options
}

// Runs are the runs that share the fleet, as far as the fleet needs them.
type Runs interface {
	// Tell records a server event in every history.
	Tell(history.Server)
	// TellReady records that a server is ready and, for each run, which of the run's own
	// kinds the server cannot read.
	TellReady(history.Server, servers.Process)
	// Leave returns when no run watches through the replica any more.
	Leave(*Replica)
	// CloseWatches ends every watch.
	CloseWatches()
	// Collections returns the collections of all runs' kinds that a release serves.
	Collections(term.Role) []string
	// LongestList returns how many bytes a LIST may have.
	LongestList() int64
	// End ends every run.
	End(error)
}

// Fleet is the replicas: those that serve, those that are held off the store until their
// roll-out begins, and those that are still starting. When a roll-out begins, all of its
// servers get the store at once: from then on both releases may write, so the later servers
// can start while they wait for their turn.
type Fleet struct {
	Config
	// ctx bounds starting servers. It belongs to the fleet, because a server may start
	// longer than the step that began it.
	ctx     context.Context
	end     context.CancelFunc
	mu      sync.Mutex
	serving map[string]*Replica
	warming map[string]*coming
	held    map[string]*coming
	retired []*Replica
	started map[string]int // how many servers a replica has had
	leaving sync.WaitGroup
	heeding sync.WaitGroup // for heed: its last record must be written before the end
	// foreseen is the last stage whose servers were started before it.
	foreseen   int
	HeldWithin time.Duration
	Patience   time.Duration
}

// New returns a fleet without servers, which ends with the context.
func New(ctx context.Context, c Config) *Fleet {
	ctx, end := context.WithCancel(ctx)
	return &Fleet{
		Config: c, ctx: ctx, end: end, serving: map[string]*Replica{}, warming: map[string]*coming{},
		held: map[string]*coming{}, started: map[string]int{}, HeldWithin: heldWithin, Patience: givesUpAfter,
	}
}

// Context returns the context of servers that outlive the step which began them. It ends
// when the fleet is drained.
func (f *Fleet) Context() context.Context { return f.ctx }

// Live returns the serving replicas in the order of their names.
func (f *Fleet) Live() []*Replica {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []*Replica
	for _, name := range f.Lead.Known.Plan.Replicas {
		if r := f.serving[name]; r != nil {
			all = append(all, r)
		}
	}
	return all
}

// Get returns the serving replica of that name.
func (f *Fleet) Get(name string) (*Replica, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.serving[name]; r != nil {
		return r, nil
	}
	return nil, fmt.Errorf("replica %s: not running", name)
}

// Start starts a replica of the first stage, and returns the outcome in words.
func (f *Fleet) Start(s plan.Step) (string, error) {
	at := inTurn
	if p := f.Lead.Known.Plan; p.Leg == nil && len(p.Stages[0].Replicas) > 1 {
		at = amongFirst // every server of the first stage is started at once
	}
	c, err := f.execute(s, at)
	if err != nil {
		return "", err
	}
	return f.serve(s, c)
}

// Replace starts the server of a replica after the first stage. If the replica has one of the
// other release, the new server serves before the old one ends, as in a rolling upgrade of a
// highly available control plane. The old one ends in the background, see retire.
func (f *Fleet) Replace(stage int, s plan.Step) (string, error) {
	if before, err := f.Get(s.Replica); err == nil && f.redefines(s) {
		return f.redefine(s, before)
	}
	if begins(f.Lead.Known.Plan, stage) {
		if err := f.rollOut(stage); err != nil {
			return "", err
		}
	}
	f.mu.Lock()
	coming, before := f.warming[s.Replica], f.serving[s.Replica]
	f.mu.Unlock()
	outcome, err := f.serve(s, coming)
	if err != nil {
		return "", err
	}
	if before != nil {
		f.retire(s.Number, before)
	}
	if begins(f.Lead.Known.Plan, stage) { // the servers that take turns
		err = f.letIn(moves(f.Lead.Known.Plan, stage)[1:])
	}
	return outcome, err
}

// launch starts a server, which does not serve yet.
func (f *Fleet) launch(ctx context.Context, c *coming) (*Replica, error) {
	step, name, role := c.step.Number, c.step.Replica, c.step.Role
	build := f.Lead.Builds[role]
	f.mu.Lock()
	f.started[name]++
	place := fmt.Sprintf("%s-%d", name, f.started[name])
	f.mu.Unlock()
	event := history.Server{Step: step, Replica: name, Role: role, Version: build.Version, Event: history.Starting,
		Log: filepath.Join("logs", place+".log")}
	if c.early {
		event.Message = "executed ahead of its stage, and held off the store until that begins"
	}
	f.Runs.Tell(event)
	process, err := f.Runtime.Start(ctx, build, servers.Placement{
		Name: place, Store: c.gate.Store(), Options: f.Lead.Options.Of(role), MayNotRead: f.Runs.Collections(role),
	})
	if err != nil {
		event.Event, event.Killed, event.Message = f.endOfStart(c, err), killed(err), err.Error()
		f.Runs.Tell(event)
		return nil, fmt.Errorf("step %d (start %s at %s): %w", step, name, build.Reference, err)
	}
	return f.ready(c.step, process, c.gate, c.heldFor(process), c.waited(process))
}

// ready records that a server is ready to be a step's replica, and connects to it.
func (f *Fleet) ready(s plan.Step, process servers.Process, gate servers.Gate, held time.Duration, waited string) (*Replica, error) {
	f.Runs.TellReady(history.Server{
		Step: s.Number, Replica: s.Replica, Role: s.Role, Version: f.Lead.Builds[s.Role].Version, Event: history.Ready,
		Seconds: process.ReadyAfter().Seconds(), Held: held.Seconds(), Message: waited, Installed: installed(process),
	}, process)
	f.heeding.Go(func() { f.heed(s.Number, s.Replica, s.Role, process) })
	conn, err := Connect(process, f.Runs.LongestList())
	if err != nil {
		process.Kill() // the caller that executed it closes its gate
		return nil, err
	}
	return &Replica{Name: s.Replica, Role: s.Role, gate: gate, Process: process, Conn: conn, waited: waited, gone: make(chan struct{})}, nil
}

// serves makes a replica the one that serves from a step on, and returns the outcome in words; note follows how long it took.
func (f *Fleet) serves(s plan.Step, r *Replica, note string) string {
	f.mu.Lock()
	delete(f.warming, s.Replica)
	f.serving[s.Replica] = r
	f.mu.Unlock()
	f.event(s.Number, s.Replica, s.Role, history.Serving, 0, "")
	return f.Lead.Builds[s.Role].Version + " " + r.waited + note + f.degraded(r) + refusals(r.Process)
}

// endOfStart returns the error of a start. It distinguishes a start that the run gave up
// from one that failed, a server that exited from one that a slow machine may have kept
// from being ready, and a server that ended because it was held from any other.
func (f *Fleet) endOfStart(c *coming, err error) history.ServerEvent {
	var exit *servers.ExitError
	switch {
	case f.ctx.Err() != nil || c.isOver():
		return history.Stopped
	case errors.As(err, &exit) && !exit.Killed():
		return c.ended(f.Patience)
	case errors.As(err, &exit):
		return history.Died
	}
	return history.Unready
}

// heed ends the run when a server exits by itself.
func (f *Fleet) heed(step int, name string, role term.Role, p servers.Process) {
	<-p.Done()
	err := p.Err()
	if err == nil {
		return
	}
	f.Runs.Tell(history.Server{
		Step: step, Replica: name, Role: role, Version: f.Lead.Builds[role].Version,
		Event: history.Died, Killed: killed(err), Message: err.Error(),
	})
	f.Runs.End(err)
}

// killed reports whether a server was killed, which is not the server's own doing.
func killed(err error) bool {
	var exit *servers.ExitError
	return errors.As(err, &exit) && exit.Killed()
}

// serve waits until a server is ready, and makes it the replica that serves.
func (f *Fleet) serve(s plan.Step, c *coming) (string, error) {
	before := ""
	if <-c.known; c.isOver() {
		if c.endedAlone() {
			before = ", after one that was executed before it had ended by itself"
		}
		again, err := f.execute(s, inTurn)
		if err != nil {
			return "", err
		}
		c = again
		<-c.known
	}
	if c.err != nil {
		return "", c.err
	}
	return f.serves(s, c.replica, before), nil
}

// hasServing reports whether a serving replica runs the release.
func (f *Fleet) hasServing(role term.Role) bool {
	for _, r := range f.Live() {
		if r.Role == role {
			return true
		}
	}
	return false
}

// retire stops a server in the background: it has answered all of its requests, and gets no
// more.
func (f *Fleet) retire(step int, r *Replica) {
	f.event(step, r.Name, r.Role, history.Draining, 0, "")
	f.Runs.Leave(r)
	f.mu.Lock()
	f.retired = append(f.retired, r)
	f.mu.Unlock()
	f.seal()
	f.leaving.Go(func() {
		defer close(r.gone)
		defer r.gate.Close()
		began := time.Now()
		ctx, cancel := context.WithTimeout(f.ctx, stopWithin) // a run that is given up waits for no server
		defer cancel()
		message := ""
		if err := r.Process.Stop(ctx); err != nil {
			message = err.Error()
		}
		f.event(step, r.Name, r.Role, history.Stopped, time.Since(began), message)
	})
}

// seal denies writes to a release that no replica runs any more: its servers that are still
// ending need to read the store, but must not write.
func (f *Fleet) seal() {
	for _, r := range f.ending() {
		if !f.hasServing(r.Role) {
			r.gate.Seal()
		}
	}
}

// ending returns the retired servers that still run.
func (f *Fleet) ending() []*Replica {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.retired)
}

// Stop stops every replica, and returns when all have ended. A replica that the step names is
// stopped alone, and ends in the background.
func (f *Fleet) Stop(s plan.Step) (string, error) {
	for _, r := range f.Live() {
		if s.Replica != "" && s.Replica != r.Name {
			continue
		}
		f.mu.Lock()
		delete(f.serving, r.Name)
		f.mu.Unlock()
		f.retire(s.Number, r)
	}
	if s.Replica != "" {
		return "stops, and gets no more requests", nil
	}
	f.leaving.Wait()
	return "stopped", nil
}

// Drain ends all servers that are held, starting or serving, and waits for them. A run that
// did not reach its stop step ends so.
func (f *Fleet) Drain() {
	f.Runs.CloseWatches()
	f.end()
	f.mu.Lock()
	serving, warming, held := f.serving, f.warming, f.held
	f.serving, f.warming, f.held = map[string]*Replica{}, map[string]*coming{}, map[string]*coming{}
	f.mu.Unlock()
	for _, r := range serving {
		f.kill(r, givenUp)
	}
	for _, on := range []map[string]*coming{warming, held} {
		for _, c := range on {
			if <-c.known; c.replica != nil {
				f.kill(c.replica, givenUp)
			}
		}
	}
	f.leaving.Wait()
	f.heeding.Wait()
}

// givenUp is the message of servers that are killed at the end of such a run.
const givenUp = "killed: the run was given up"

func (f *Fleet) kill(r *Replica, why string) {
	r.Process.Kill()
	r.gate.Close()
	f.event(0, r.Name, r.Role, history.Stopped, 0, why)
}

func (f *Fleet) event(step int, name string, role term.Role, e history.ServerEvent, took time.Duration, message string) {
	f.Runs.Tell(history.Server{
		Step: step, Replica: name, Role: role, Version: f.Lead.Builds[role].Version,
		Event: e, Seconds: took.Seconds(), Message: message,
	})
}
