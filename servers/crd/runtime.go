package crd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/program"
)

// Runtime starts builds of manifests, and all other builds with the runtime below.
type Runtime struct {
	below     Below
	dir, logs string
	images    program.Images
	programs  *programs

	mu       sync.Mutex
	webhooks map[string]*webhook // of rules, by the digest of their build
	scratch  int                 // how many scratch servers had programs
	turns    queues
}

// Below is the runtime that starts the servers for the manifests.
type Below interface {
	servers.Runtime
	servers.GateTeller
}

var (
	_ Below                 = (*Runtime)(nil)
	_ servers.ProgramRunner = (*Runtime)(nil)
	_ servers.Process       = (*process)(nil)
	_ servers.Installer     = (*process)(nil)
	_ servers.Degraded      = (*process)(nil)
	_ servers.PanicTeller   = (*process)(nil)
	_ servers.Reinstaller   = (*process)(nil)
)

// NewRuntime returns a runtime on top of below, which it closes with itself. The webhooks' keys
// are in dir, and the logs of programs in logs; below's Close may remove dir. Programs that are container images
// run on images; nil: none can.
func NewRuntime(below Below, dir, logs string, images program.Images) *Runtime {
	return &Runtime{below: below, dir: dir, logs: logs, images: images, programs: newPrograms(filepath.Join(dir, "programs"), logs, images), webhooks: map[string]*webhook{}}
}

// Start implements servers.Runtime. For a build of manifests it returns when the server is
// ready, and the defined resources are served; ReadyAfter includes that.
func (r *Runtime) Start(ctx context.Context, b servers.Build, at servers.Placement) (servers.Process, error) {
	if b.Installs == nil {
		return r.below.Start(ctx, b, at)
	}
	started, err := r.below.Start(ctx, b.Installs.Server, at)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if !at.Scratch {
		r.programs.serves(started.Endpoint())
	}
	hook, leave, err := r.converts(ctx, b, at, started.Endpoint())
	if err != nil {
		started.Kill()
		return nil, fmt.Errorf("server %s (%s): %w", at.Name, b.Reference, err)
	}
	turns := turns{b.Digest, &r.turns}
	installed, err := install(ctx, started, b.Installs, hook, turns)
	if err != nil {
		started.Kill()
		leave()
		return nil, fmt.Errorf("server %s (%s): %w", at.Name, b.Reference, err)
	}
	p := &process{Process: started, manifests: b.Installs, hook: hook, leave: leave, turns: turns, installed: installed, took: time.Since(began)}
	go func() { // nobody stops a server that ends by itself
		<-started.Done()
		leave()
	}()
	return p, nil
}

// converts returns the webhook for the definitions of a build, or nil if the build has none, and
// what is called when the server has ended.
func (r *Runtime) converts(ctx context.Context, b servers.Build, at servers.Placement, e servers.Endpoint) (hook *webhook, leave func(), err error) {
	if b.Installs.Program == nil {
		hook, err = r.webhook(b)
		return hook, func() {}, err
	}
	beside := r.programs
	if at.Scratch {
		r.mu.Lock()
		r.scratch++
		beside = newPrograms(filepath.Join(r.dir, fmt.Sprintf("programs-scratch-%d", r.scratch)), r.logs, r.images)
		r.mu.Unlock()
	}
	if err := beside.join(ctx, b, at.Name, e); err != nil {
		return nil, nil, errors.Join(err, beside.closeScratch(at))
	}
	return beside.front, sync.OnceFunc(func() {
		beside.leave(b)
		_ = beside.closeScratch(at) // nothing was written to it
	}), nil
}

// RunProgram implements servers.ProgramRunner.
func (r *Runtime) RunProgram(ctx context.Context, b servers.Build) error {
	if b.Installs == nil {
		return fmt.Errorf("%s: it has no programs", b.Reference)
	}
	return r.programs.choose(ctx, &b)
}

// StopProgram implements servers.ProgramRunner.
func (r *Runtime) StopProgram() { _ = r.programs.choose(context.Background(), nil) } // ending one cannot fail

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
	var rules Conversions
	if err := json.Unmarshal(b.Installs.Conversion, &rules); err != nil {
		return nil, fmt.Errorf("conversion webhook: %w", err)
	}
	hook, err := serve(filepath.Join(r.dir, fmt.Sprintf("webhook-%d", len(r.webhooks)+1)), rules)
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
	err := errors.Join(r.below.Close(), r.programs.close())
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
	leave     func()   // once the server has ended
	turns     turns
	installed []servers.Installed
	took      time.Duration
}

// ReadyAfter includes the time until the installed resources were served.
func (p *process) ReadyAfter() time.Duration { return p.Process.ReadyAfter() + p.took }

// Stop implements servers.Process. The programs beside the server end after it.
func (p *process) Stop(ctx context.Context) error {
	defer p.leave()
	return p.Process.Stop(ctx)
}

// Kill implements servers.Process.
func (p *process) Kill() {
	defer p.leave()
	p.Process.Kill()
}

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
