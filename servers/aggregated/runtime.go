package aggregated

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/servers"
)

// Runtime starts aggregated builds, each server with its own kube-apiserver, and starts all
// other builds with the runtime below.
type Runtime struct {
	below Below
	dir   string

	mu    sync.Mutex
	front *front // created for the first replica
	links int
}

// Below is a runtime that starts single servers.
type Below interface {
	servers.Runtime
	servers.GateTeller
	// At returns the endpoint of a server at a port of the loopback address.
	At(port int) servers.Endpoint
}

var (
	_ servers.Runtime     = (*Runtime)(nil)
	_ servers.GateTeller  = (*Runtime)(nil)
	_ servers.Process     = (*process)(nil)
	_ servers.Degraded    = (*process)(nil)
	_ servers.PanicTeller = (*process)(nil)
)

// NewRuntime returns a runtime on top of below, which it closes with itself. The runtime writes
// keys and kubeconfigs to dir; below's Close may remove dir.
func NewRuntime(below Below, dir string) *Runtime { return &Runtime{below: below, dir: dir} }

// Start implements servers.Runtime. For an aggregated build it starts the server and its
// kube-apiserver in parallel on the same store, and returns when clients reach all that the
// server serves through the kube-apiserver; ReadyAfter includes that. The log is the server's;
// the log of its kube-apiserver is NAME-kube-apiserver.log in the same directory.
func (r *Runtime) Start(ctx context.Context, b servers.Build, at servers.Placement) (servers.Process, error) {
	if b.Aggregated == nil {
		return r.below.Start(ctx, b, at)
	}
	began := time.Now()
	l, err := r.link()
	if err != nil {
		return nil, fmt.Errorf("server %s (%s): %w", at.Name, b.Reference, err)
	}
	p := &process{link: l, done: make(chan struct{})}
	if err := p.start(ctx, r.below, b, at); err != nil {
		p.undo()
		return nil, err
	}
	if err := register(ctx, p, b); err != nil {
		p.undo()
		return nil, fmt.Errorf("server %s (%s): %w; log: %s", at.Name, b.Reference, err, p.LogPath())
	}
	p.readyAfter = time.Since(began)
	go p.mourn()
	return p, nil
}

// link returns the connection for the next replica's servers.
func (r *Runtime) link() (*link, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.front == nil {
		f, err := newFront(filepath.Join(r.dir, "aggregator"))
		if err != nil {
			return nil, err
		}
		r.front = &f
	}
	r.links++
	return newLink(filepath.Join(r.dir, fmt.Sprintf("aggregated-%d", r.links)), *r.front, r.below.At)
}

// start starts both servers. Requests to the kube-apiserver wait until it is ready, and its
// aggregator waits for the server.
func (p *process) start(ctx context.Context, below servers.Runtime, b servers.Build, at servers.Placement) error {
	core := servers.Placement{
		Name: at.Name + "-kube-apiserver", Store: at.Store, ReadyWithin: at.ReadyWithin, Flags: p.link.coreFlags(),
	}
	at.Flags = append(at.Flags, p.link.serverFlags()...)
	at.Executed = func(e servers.Endpoint) { p.link.toServer.lead(e.URL) }
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		if p.core, err = below.Start(ctx, b.Aggregated.Core, core); err == nil {
			p.link.toCore.lead(p.core.Endpoint().URL)
		}
		return err
	})
	group.Go(func() (err error) {
		p.server, err = below.Start(ctx, b, at)
		return err
	})
	return group.Wait()
}

// Gate implements servers.GateTeller.
func (r *Runtime) Gate(ctx context.Context, b servers.Build, name string) (says string, has bool, err error) {
	return r.below.Gate(ctx, b, name)
}

// Gates implements servers.GateTeller.
func (r *Runtime) Gates(ctx context.Context, b servers.Build) (map[string]string, error) {
	return r.below.Gates(ctx, b)
}

// TakesOver implements servers.GateTeller. For an aggregated build it returns the gate of the
// kube-apiserver, which uses the store as well.
func (r *Runtime) TakesOver(b servers.Build) string {
	if b.Aggregated != nil {
		return r.below.TakesOver(b.Aggregated.Core)
	}
	return r.below.TakesOver(b)
}

// Close implements servers.Runtime.
func (r *Runtime) Close() error { return r.below.Close() }
