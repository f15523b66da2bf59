package crd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/skewsim/skewsim/servers"
)

// Runtime starts builds of manifests, and all other builds with the runtime below.
type Runtime struct {
	below Below
	dir   string

	mu       sync.Mutex
	webhooks map[string]*webhook // by the digest of their build
	turns    queues
}

// Below is the runtime that starts the servers for the manifests.
type Below interface {
	servers.Runtime
	servers.GateTeller
}

var (
	_ Below               = (*Runtime)(nil)
	_ servers.Process     = (*process)(nil)
	_ servers.Installer   = (*process)(nil)
	_ servers.Degraded    = (*process)(nil)
	_ servers.PanicTeller = (*process)(nil)
	_ servers.Reinstaller = (*process)(nil)
)

// NewRuntime returns a runtime on top of below, which it closes with itself. The webhooks' keys
// are in dir; below's Close may remove dir.
func NewRuntime(below Below, dir string) *Runtime {
	return &Runtime{below: below, dir: dir, webhooks: map[string]*webhook{}}
}

// Start implements servers.Runtime. For a build of manifests it returns when the server is
// ready, and the defined resources are served; ReadyAfter includes that.
func (r *Runtime) Start(ctx context.Context, b servers.Build, at servers.Placement) (servers.Process, error) {
	if b.Installs == nil {
		return r.below.Start(ctx, b, at)
	}
	hook, err := r.webhook(b)
	if err != nil {
		return nil, fmt.Errorf("server %s (%s): %w", at.Name, b.Reference, err)
	}
	started, err := r.below.Start(ctx, b.Installs.Server, at)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	turns := turns{b.Digest, &r.turns}
	installed, err := install(ctx, started, b.Installs, hook, turns)
	if err != nil {
		started.Kill()
		return nil, fmt.Errorf("server %s (%s): %w", at.Name, b.Reference, err)
	}
	return &process{Process: started, manifests: b.Installs, hook: hook, turns: turns, installed: installed, took: time.Since(began)}, nil
}

// webhook returns the webhook that all servers of a build use, or nil if the build has none.
func (r *Runtime) webhook(b servers.Build) (*webhook, error) {
	if b.Installs.Conversion == nil {
		return nil, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if hook := r.webhooks[b.Digest]; hook != nil {
		return hook, nil
	}
	hook, err := serve(filepath.Join(r.dir, fmt.Sprintf("webhook-%d", len(r.webhooks)+1)), b.Installs.Conversion)
	if err == nil {
		r.webhooks[b.Digest] = hook
	}
	return hook, err
}

// Gate implements servers.GateTeller.
func (r *Runtime) Gate(ctx context.Context, b servers.Build, name string) (says string, has bool, err error) {
	return r.below.Gate(ctx, serverOf(b), name)
}

// Gates implements servers.GateTeller.
func (r *Runtime) Gates(ctx context.Context, b servers.Build) (map[string]string, error) {
	return r.below.Gates(ctx, serverOf(b))
}

// TakesOver implements servers.GateTeller.
func (r *Runtime) TakesOver(b servers.Build) string { return r.below.TakesOver(serverOf(b)) }

// serverOf returns the build of the server that runs: for manifests, the one that they are
// installed on.
func serverOf(b servers.Build) servers.Build {
	if b.Installs != nil {
		return b.Installs.Server
	}
	return b
}

// Close implements servers.Runtime.
func (r *Runtime) Close() error {
	err := r.below.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, hook := range r.webhooks {
		err = errors.Join(err, hook.close())
	}
	r.webhooks = map[string]*webhook{}
	return err
}

// process is a server with installed objects.
type process struct {
	servers.Process
	manifests *servers.Installation
	hook      *webhook // nil if they have none
	turns     turns
	installed []servers.Installed
	took      time.Duration
}

// ReadyAfter includes the time until the installed resources were served.
func (p *process) ReadyAfter() time.Duration { return p.Process.ReadyAfter() + p.took }

// Lacks implements servers.Degraded.
func (p *process) Lacks(collections []string) servers.Lack {
	return servers.LackOf(p.Process, collections)
}

// Panicked implements servers.PanicTeller.
func (p *process) Panicked(auditID string) *servers.Panic {
	if t, ok := p.Process.(servers.PanicTeller); ok {
		return t.Panicked(auditID)
	}
	return nil
}

// Reinstall implements servers.Reinstaller.
func (p *process) Reinstall(ctx context.Context) ([]servers.Installed, error) {
	return install(ctx, p.Process, p.manifests, p.hook, p.turns)
}

// Installed implements servers.Installer.
func (p *process) Installed() []servers.Installed { return p.installed }
