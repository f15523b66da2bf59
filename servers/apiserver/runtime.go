package apiserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/machine"
)

// readyWithin is the default of Placement.ReadyWithin. Time in which tasks wait for a CPU does not count, up to
// maxStarved times as much.
const (
	readyWithin = 2 * time.Minute
	maxStarved  = 4
)

// Config is what a runtime starts, and where it keeps its files.
type Config struct {
	// Components are what the runtime can start.
	Components []Component
	// Dir gets a directory with the run's keys, certificates and token, which
	// Close removes. It is created when missing, with mode 0700.
	Dir string
	// LogDir gets one log for each server, NAME.log. It is created when
	// missing. Logs stay.
	LogDir string
	// Kept is a directory that keeps what executables say of themselves between
	// runs; "": each runtime asks anew.
	Kept string
	// Images runs the builds that are container images; nil: none of them can be started.
	Images Host
	// Seed makes the keys that servers encrypt with: runtimes of one seed read what
	// each other's servers stored. "": a random one.
	Seed string
}

// Runtime starts API servers that share one identity: any of them accepts the
// same token and the service-account tokens that any other signed, as the
// replicas of one control plane do.
type Runtime struct {
	components []Component
	logDir     string
	identity   *Identity
	hosts      hosts
	helps      helps

	mu      sync.Mutex
	closed  bool
	started []*server // in order of starting; names are unique
}

var (
	_ servers.Runtime     = (*Runtime)(nil)
	_ servers.GateTeller  = (*Runtime)(nil)
	_ servers.Degraded    = (*server)(nil)
	_ servers.PanicTeller = (*server)(nil)
)

// New makes a runtime with a fresh identity. It starts nothing.
func New(c Config) (*Runtime, error) {
	if err := os.MkdirAll(c.LogDir, 0o700); err != nil {
		return nil, fmt.Errorf("API servers: log directory: %w", err)
	}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("API servers: directory: %w", err)
	}
	identity, err := newIdentity(c.Dir, c.Seed)
	if err != nil {
		return nil, fmt.Errorf("API servers: identity: %w", err)
	}
	all := hosts{images: c.Images}
	return &Runtime{components: c.Components, logDir: c.LogDir, identity: identity, hosts: all, helps: helps{hosts: all, kept: c.Kept}}, nil
}

// Start implements servers.Runtime.
func (r *Runtime) Start(ctx context.Context, b servers.Build, at servers.Placement) (servers.Process, error) {
	s, err := r.launch(ctx, b, at)
	if err != nil && ctx.Err() != nil { // in the midst of whatever it was
		err = fmt.Errorf("start: %w", context.Cause(ctx))
	}
	if err != nil {
		return nil, fmt.Errorf("server %s (%s): %w", at.Name, b.Reference, err)
	}
	if at.ReadyWithin == 0 {
		at.ReadyWithin, s.waited = readyWithin, machine.Waited
	}
	err = s.awaitReady(ctx, at.ReadyWithin, at.MayNotRead)
	if err == nil {
		err = s.onLoopback()
	}
	if err != nil {
		s.Kill()
		r.forget(s)
		return nil, err
	}
	return s, nil
}

var started atomic.Int64

// Started returns how many servers this process has executed: what a profile shows.
func Started() int { return int(started.Load()) }

// launch executes the server; it does not wait for anything.
func (r *Runtime) launch(ctx context.Context, b servers.Build, at servers.Placement) (*server, error) {
	component, err := r.component(b)
	if err != nil {
		return nil, err
	}
	if err := checkPlacement(component.Of(b), at); err != nil {
		return nil, err
	}
	host, err := r.hosts.of(b)
	if err != nil {
		return nil, err
	}
	help, err := r.helps.of(ctx, component, b)
	if err != nil {
		return nil, err
	}
	lacks := r.helps.lacks(ctx, component, b, help, component.Needs(b, r.identity, at, 0))
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.admit(at.Name); err != nil {
		return nil, err
	}
	s, err := r.execute(ctx, host, component, b, at, lacks)
	if err != nil {
		return nil, err
	}
	started.Add(1)
	r.started = append(r.started, s)
	go s.mourn()
	if at.Executed != nil {
		at.Executed(s.endpoint)
	}
	return s, nil
}

// execute executes the server on a port that it reserves.
func (r *Runtime) execute(ctx context.Context, host Host, component Component, b servers.Build, at servers.Placement, lacks []string) (*server, error) {
	encrypts, err := r.identity.encryptionFlags(at.Name, at.Options.Encryption)
	if err != nil {
		return nil, err
	}
	port, err := reserve(at.Port)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	child, err := host.Start(ctx, b, Command{
		Arguments: append(component.Arguments(b, r.identity, at, port.number, lacks), encrypts...), Dir: r.identity.Dir,
		LogPath: filepath.Join(r.logDir, at.Name+".log"),
	})
	if err != nil {
		return nil, errors.Join(err, port.release())
	}
	return &server{
		name: at.Name, build: b, unversioned: component.Aggregated, polled: component.Polled, child: child, began: began, port: port, client: r.identity.client(),
		endpoint: r.identity.endpoint(port.number), done: make(chan struct{}),
	}, nil
}

// At is how a server of the runtime is reached at a port of the loopback address: with
// the same token, and under the same authority, as all of them.
func (r *Runtime) At(port int) servers.Endpoint { return r.identity.endpoint(port) }

// component finds the one that a build is of.
func (r *Runtime) component(b servers.Build) (Component, error) {
	var known []string
	for _, c := range r.components {
		if c.starts(b) {
			return c, nil
		}
		known = append(known, c.Name)
	}
	return Component{}, fmt.Errorf("component %q: not one that can be started (%s)", b.Component, strings.Join(known, ", "))
}

// forget undoes the admission of a server that did not become ready.
func (r *Runtime) forget(s *server) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.started = slices.DeleteFunc(r.started, func(o *server) bool { return o == s })
}

// admit keeps the promise that names are unique: two servers of one name would
// write to one log.
func (r *Runtime) admit(name string) error {
	if r.closed {
		return errors.New("the runtime is closed")
	}
	if slices.ContainsFunc(r.started, func(s *server) bool { return s.name == name }) {
		return fmt.Errorf("name %q was used before; each server needs a name of its own", name)
	}
	return nil
}

func checkPlacement(c Component, at servers.Placement) error {
	// The name becomes a file name.
	if !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`).MatchString(at.Name) {
		return fmt.Errorf("name %q: must begin with a letter or digit and hold only letters, digits, dots, dashes and underscores", at.Name)
	}
	if err := c.CheckFlags(at.Options.Flags); err != nil {
		return &servers.RequestError{Err: err}
	}
	return nil
}

// Close implements servers.Runtime.
func (r *Runtime) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for _, s := range slices.Backward(r.started) {
		s.Kill()
	}
	r.started = nil
	if err := os.RemoveAll(r.identity.Dir); err != nil {
		return fmt.Errorf("API servers: remove secrets: %w", err)
	}
	return nil
}
