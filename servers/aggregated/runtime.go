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

// Runtime starts builds that lean on a kube-apiserver, each with one of its own, and all
// others as the runtime below does.
type Runtime struct {
	below Below
	dir   string

	mu    sync.Mutex
	front *front // made for the first of them
	links int
}

// Below is what starts single servers.
type Below interface {
	servers.Runtime
	servers.GateTeller
	// At is how a server of it is reached at a port of the loopback address.
	At(port int) servers.Endpoint
}

var (
	_ servers.Runtime     = (*Runtime)(nil)
	_ servers.GateTeller  = (*Runtime)(nil)
	_ servers.Process     = (*process)(nil)
	_ servers.Limping     = (*process)(nil)
	_ servers.PanicTeller = (*process)(nil)
)

// NewRuntime makes a runtime on top of one that starts single servers, which it closes
// with itself. Dir gets keys and kubeconfigs; Close of the runtime below may remove it.
func NewRuntime(below Below, dir string) *Runtime { return &Runtime{below: below, dir: dir} }

// Start implements servers.Runtime. Of a build that leans on a kube-apiserver it starts
// both on the store, side by side, and returns when clients reach through the
// kube-apiserver all that the server serves; that is the time to ready. The log is the
// server's; that of its kube-apiserver lies beside it, as NAME-kube-apiserver.log.
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

// link makes what the next replica's servers reach each other by.
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

// start starts both servers. Who comes to the kube-apiserver before it is ready waits,
// and so does its aggregator for the server.
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

// TakesOver implements servers.GateTeller: of the kube-apiserver that a build leans on
// as well, since those are on the store too.
func (r *Runtime) TakesOver(b servers.Build) string {
	if b.Aggregated != nil {
		return r.below.TakesOver(b.Aggregated.Core)
	}
	return r.below.TakesOver(b)
}

// Close implements servers.Runtime.
func (r *Runtime) Close() error { return r.below.Close() }
