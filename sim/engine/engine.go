package engine

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/container"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/run"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Builds makes what runs are started with. Its methods are called by several runs at once,
// and make nothing twice.
type Builds interface {
	// Known refuses references to releases and manifests that do not exist.
	Known(ctx context.Context, refs ...servers.Reference) error
	// CheckReplaced refuses manifests that cannot replace those of the release before.
	CheckReplaced(ctx context.Context, s *scenarios.Scenario, refs ...servers.Reference) error
	// CheckAdapters refuses modules whose adapters do not fit the scenario.
	CheckAdapters(s *scenarios.Scenario, refs ...servers.Reference) error
	// IsBuilt reports whether Build returns without building or pulling anything.
	IsBuilt(ctx context.Context, ref servers.Reference) bool
	// Build returns the build of a reference, and makes it if need be.
	Build(ctx context.Context, ref servers.Reference) (servers.Build, error)
	// TypedClients returns the typed clients of releases: of the roles old and new those of
	// their builds, of the role older that of the version older. It leaves out releases
	// for which none can be built, and says so.
	TypedClients(ctx context.Context, c ClientRoles, builds map[term.Role]servers.Build, say func(text string)) (map[term.Role]typedclient.Build, error)
	// GateTags returns the feature gates that the source of each build names, as JSON. It
	// leaves out builds whose source is not available, and says so.
	GateTags(ctx context.Context, builds map[term.Role]servers.Build, say func(text string)) map[term.Role][]byte
	// Runtime returns what starts servers. Servers of an equal seed read what each other
	// encrypted; "": of no other runtime.
	Runtime(secrets, logs, seed string) (servers.Runtime, error)
	// EtcdImage returns the etcd of a container image, and what runs it.
	EtcdImage(ctx context.Context, name string) (*container.Engine, servers.Build, error)
}

// ClientRoles are the releases that a plan has typed clients of, and the version of the
// older one.
type ClientRoles struct {
	Roles []term.Role
	Older string
}

// Events is told what happens in one run while it happens, and writes the run's reports:
// this package writes none. Steps of a run come from several goroutines.
type Events interface {
	run.Progress
	// Warn is told what whoever runs it should know beside what the run does.
	Warn(text string)
	// Report writes the reports of a judged run, result.json among them, and returns the
	// result as they show it: without the values of Secrets.
	Report(j rundir.Judged) (result.Result, error)
	// Leg is told that a leg of a chain has ended, how long it took, and what ended it early.
	Leg(name string, took time.Duration, ended error)
	// ReportChain writes chain.json, and what else a chain has above its legs.
	ReportChain(dir string, v chain.Verdict) error
	// ChainEnded is told the verdict of a whole chain.
	ChainEnded(dir string, v chain.Verdict) error
}

// Outcome is how a run ended.
type Outcome struct {
	// Verdict is what the run found; "": it could not be judged.
	Verdict term.VerdictWord
	// Err is what kept the run from being judged, or ended it early; nil: neither.
	Err error
	// Dir is the run directory; "": the run ended before it had one.
	Dir string
	// Took is how long the run took, with its builds.
	Took time.Duration
	// With is how many other runs shared its servers.
	With int
}

// Fault returns whose doing it is that a run did not pass. A run that the oracle failed is
// the software's, whatever ended it.
func (o Outcome) Fault() fault.Fault {
	switch {
	case o.Verdict == term.Fail, o.Verdict == term.Impacts && o.Err == nil:
		return fault.Fault{Kind: fault.Verdict}
	}
	return fault.Of(o.Err)
}

// Config is what an Engine works with.
type Config struct {
	Builds Builds // required
	// Tool is the version of skewsim that histories record.
	Tool string
	// ProbeDir keeps what builds say of themselves; "": each run asks anew.
	ProbeDir string
}

// Engine executes runs, several at once if the caller wants that.
type Engine struct {
	config Config
	mutex  sync.Mutex // of what is below
	live   map[*recording]bool
	open   int // directories that belong to a run which has not ended
}

// New returns an engine.
func New(c Config) *Engine { return &Engine{config: c, live: map[*recording]bool{}} }

// IsOpen reports whether a run has a directory whose reports may not be written yet.
func (e *Engine) IsOpen() bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.open > 0
}

// Abandon kills the servers of all runs, and removes their keys, which must not outlive
// them. The runs then end by themselves, and report what they saw.
func (e *Engine) Abandon() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for r := range e.live {
		_ = os.RemoveAll(r.secrets) // there is nobody left to tell
		if r.runtime != nil {
			go r.runtime.Close() // it may wait for a server that is being started; the run closes it too
		}
	}
}

// openDir opens a run's directory; close it with closeDir.
func (e *Engine) openDir(path string) (*rundir.Dir, error) {
	dir, err := rundir.Open(path)
	if err == nil {
		e.mutex.Lock()
		defer e.mutex.Unlock()
		e.open++
	}
	return dir, err
}

func (e *Engine) closeDir(dir *rundir.Dir) error {
	e.mutex.Lock()
	e.open--
	e.mutex.Unlock()
	return dir.Close()
}
