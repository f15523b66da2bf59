package engine

import (
	"context"
	"os"
	"runtime"
	"sync"
	"time"

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

// Builds makes the builds and clients of runs. Its methods may be called concurrently, and
// make nothing twice.
type Builds interface {
	Checker
	// IsBuilt reports whether Build returns without building or pulling anything.
	IsBuilt(ctx context.Context, ref servers.Reference) bool
	// Build returns the build of a reference, and makes it if necessary.
	Build(ctx context.Context, ref servers.Reference) (servers.Build, error)
	// TypedClients returns the typed clients of releases: for the roles old and new those
	// of their builds, for the role older those of the version older. It reports and leaves
	// out releases for which none can be built.
	TypedClients(ctx context.Context, c ClientRoles, builds map[term.Role]servers.Build, say func(text string)) (map[term.Role]typedclient.Build, error)
	// GateTags returns the feature gates that the source of each build names, as JSON. It
	// reports and leaves out builds whose source is not available.
	GateTags(ctx context.Context, builds map[term.Role]servers.Build, say func(text string)) map[term.Role][]byte
	// Runtime returns a runtime that starts servers. Servers with an equal seed can read
	// what each other encrypted; with "", no other runtime's servers can.
	Runtime(secrets, logs, seed string) (servers.Runtime, error)
	// EtcdImage returns the etcd of a container image, and the container engine that runs
	// it.
	EtcdImage(ctx context.Context, name string) (*container.Engine, servers.Build, error)
}

// ClientRoles are the releases that a plan has typed clients of, and the version of the
// older one.
type ClientRoles struct {
	Roles []term.Role
	Older string
}

// Events receives the progress of one run, and writes the run's reports: this package
// writes none. Its methods are called from several goroutines.
type Events interface {
	run.Progress
	// Warn receives warnings that do not belong to a step of the run.
	Warn(text string)
	// Report writes the reports of a judged run, result.json among them, and returns the
	// result without the values of Secrets, as reports show it.
	Report(j rundir.Judged) (result.Result, error)
	// Leg receives the end of a leg of a chain: how long it took, and what ended it early.
	Leg(name string, took time.Duration, ended error)
	// ReportChain writes chain.json and the chain's other files above its legs.
	ReportChain(dir string, v chain.Verdict) error
	// ChainEnded receives the verdict of a whole chain.
	ChainEnded(dir string, v chain.Verdict) error
}

// Outcome is how a run ended.
type Outcome struct {
	// Verdict is what the run found; "" if it could not be judged.
	Verdict term.VerdictWord
	// Err is why the run could not be judged, or what ended it early; else nil.
	Err error
	// Dir is the run directory; "" if the run ended before it had one.
	Dir string
	// Took is how long the run took, with its builds.
	Took time.Duration
	// With is how many other runs shared its servers.
	With int
}

// Fault returns who caused the outcome of a run that did not pass. A run that the oracle
// failed is the fault of the software under test, whatever ended it.
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
	// ProbeDir keeps what builds report about themselves; with "" each run asks again.
	ProbeDir string
}

// Engine executes runs, concurrently if the caller calls it so.
type Engine struct {
	config  Config
	judging chan struct{} // has room for as many runs as are judged at once
	mutex   sync.Mutex    // guards the fields below
	live    map[*recording]bool
	open    int // directories of runs that have not ended
}

// New returns an engine.
func New(c Config) *Engine {
	return &Engine{config: c, judging: make(chan struct{}, runtime.GOMAXPROCS(0)), live: map[*recording]bool{}}
}

// IsOpen reports whether a run still uses a directory, so that its reports may not be
// written yet.
func (e *Engine) IsOpen() bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.open > 0
}

// Abandon kills the servers of all runs and removes their keys, which must not outlive
// them. The runs then end, and are judged by what they saw.
func (e *Engine) Abandon() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for r := range e.live {
		_ = os.RemoveAll(r.secrets) // no caller is left to receive the error
		if r.runtime != nil {
			go r.runtime.Close() // it may wait for a server that is starting; the run closes it too
		}
	}
}

// openDir opens a run's directory; closeDir closes it.
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
