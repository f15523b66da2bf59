package engine

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"os"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Parts are what a run is executed with.
type Parts struct {
	Servers map[term.Role]servers.Build
	Clients map[term.Role]typedclient.Build
	leg     *legParts // nil if the run is not a leg of a chain
	where   func(file, field string) string
	place   func(part string) string
}

// legParts are what all legs of a chain share.
type legParts struct {
	store func() run.Store // opens the chain's store for the leg
	salt  string           // salt of every leg's fingerprints
	// keys is the seed of the keys that every leg's servers encrypt with. It must not be in
	// any file that is kept.
	keys string
}

// recording is a run directory, and everything that a run is executed and recorded with.
type recording struct {
	engine  *Engine
	dir     *rundir.Dir
	history *history.Writer
	runtime servers.Runtime // guarded by Engine.mutex
	stores  Stores
	secrets string
	config  run.Config
}

// newSalt draws the salt for fingerprints of Secrets' values.
func newSalt() (string, error) {
	salt := make([]byte, 16)
	_, err := rand.Read(salt)
	return hex.EncodeToString(salt), err
}

// writePlan writes plan.txt.
func writePlan(dir *rundir.Dir, p *plan.Plan) error {
	return rundir.WriteFile(dir.Path, "plan.txt", func(w io.Writer) error { return p.Fprint(w) })
}

// newRecording begins a run's history, and creates what its servers are started with. The
// caller sets the clients.
func (e *Engine) newRecording(ctx context.Context, dir *rundir.Dir, p *plan.Plan, parts Parts, at Store, events Events) (*recording, error) {
	var leg legParts
	var err error
	if parts.leg != nil {
		leg = *parts.leg
	} else if leg.salt, err = newSalt(); err != nil {
		return nil, err
	}
	builds := e.config.Builds
	r := &recording{engine: e, dir: dir, secrets: dir.File("secrets"), stores: Stores{Dir: dir, Store: at, Builds: builds, Warn: warn(events)}}
	header := history.Header{Tool: e.config.Tool, Salt: leg.salt, Plan: *p, Store: RecordedStore(ctx, at, builds)}
	if r.history, err = history.Create(dir.Path, header); err != nil {
		return nil, err
	}
	runtime, err := r.start(leg.keys)
	if err != nil {
		return nil, errors.Join(err, context.Cause(ctx), r.history.Close()) // Abandon removes the keys
	}
	r.config = run.Config{
		Plan: p, Builds: parts.Servers, GateTags: builds.GateTags(ctx, parts.Servers, events.Warn), Runtime: runtime, OpenStore: r.opener(leg), Dir: dir.Path, Probes: e.config.ProbeDir,
		Where: parts.where, Place: parts.place, History: r.history, Progress: events,
	}
	if parts.leg != nil {
		r.config.Progress = silent{} // the steps of a leg would hide the chain's own lines
	}
	return r, nil
}

// start creates the runtime; from then on Abandon may close it.
func (r *recording) start(seed string) (servers.Runtime, error) {
	e := r.engine
	e.mutex.Lock()
	e.live[r] = true
	e.mutex.Unlock()
	runtime, err := e.config.Builds.Runtime(r.secrets, r.dir.File("logs"), seed)
	if err != nil {
		e.forget(r)
		return nil, err
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	r.runtime = runtime
	return runtime, nil
}

func (e *Engine) forget(r *recording) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	delete(e.live, r)
}

// opener returns what opens the run's stores: its own, and scratch stores. A leg uses the
// chain's store as its own.
func (r *recording) opener(leg legParts) func(context.Context, string) (run.Store, error) {
	return func(ctx context.Context, name string) (run.Store, error) {
		if name == "store" && leg.store != nil {
			return leg.store(), nil
		}
		return r.stores.Open(ctx, name)
	}
}

// close ends the servers that are left, and removes keys and stores. The history is
// complete afterwards.
func (r *recording) close() error {
	defer r.engine.forget(r)
	return errors.Join(r.runtime.Close(), r.stores.Remove(), os.RemoveAll(r.secrets), r.history.Close())
}

// silent is a Progress that shows nothing.
type silent struct{}

func (silent) Stage(plan.Stage)       {}
func (silent) Step(plan.Step, string) {}
func (silent) Note(string)            {}

// record executes the plan and leaves its history in the run directory. It returns what
// ended the run early, and what could not be written or removed.
func (e *Engine) record(ctx context.Context, dir *rundir.Dir, p *plan.Plan, parts Parts, r Request, events Events) (ended, unkept error) {
	ctx, cancel := WithTimeout(ctx, r.Timeout)
	defer cancel()
	rec, err := e.newRecording(ctx, dir, p, parts, r.Store, events)
	if err != nil {
		return nil, err
	}
	defer func() { unkept = errors.Join(unkept, rec.close()) }()
	typed := newTypedClients(parts.Clients, dir.File("logs"))
	defer typed.close()
	rec.config.Clients = typed.clients()
	return run.Run(ctx, rec.config), nil
}

// warn prefixes a warning to events with its source, since it is printed among other lines.
func warn(events Events) func(string) {
	return func(text string) { events.Warn("skewsim: " + text) }
}
