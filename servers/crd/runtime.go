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
	_ servers.Redefiner     = (*Runtime)(nil)
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
	p, err := r.define(ctx, started, b, at)
	if err != nil {
		started.Kill()
		return nil, fmt.Errorf("server %s (%s): %w", at.Name, b.Reference, err)
	}
	p.took = started.ReadyAfter() + time.Since(began)
	return p, nil
}

// define installs a build on a server.
func (r *Runtime) define(ctx context.Context, on servers.Process, b servers.Build, at servers.Placement) (*process, error) {
	hook, beside, leave, err := r.converts(ctx, b, at, on.Endpoint())
	if err != nil {
		return nil, err
	}
	turns := turns{b.Digest, &r.turns}
	installed, err := install(ctx, on, b.Installs, hook, turns)
	if err != nil {
		leave()
		return nil, err
	}
	p := &process{
		Process: on, of: b, at: at, hook: hook, leave: leave, turns: turns, installed: installed,
		passed: make(chan struct{}), done: make(chan struct{}),
	}
	if beside != nil {
		p.wrong = beside.wrong
	} else {
		p.wrong = newFailure() // it never happens
	}
	go p.await()
	return p, nil
}

// Redefines implements servers.Redefiner. A server whose definitions stay what they are keeps in its caches what a
// program has converted: where programs are replaced, each release has its own server.
func (r *Runtime) Redefines(from, to servers.Build) bool {
	return from.Installs != nil && to.Installs != nil && from.Installs.Server == to.Installs.Server &&
		from.Installs.Program == nil && to.Installs.Program == nil
}

// Redefine implements servers.Redefiner.
func (r *Runtime) Redefine(ctx context.Context, p servers.Process, to servers.Build) (servers.Process, error) {
	was, is := p.(*process)
	if !is || !r.Redefines(was.of, to) {
		return nil, fmt.Errorf("%s: %s has another server", to.Reference, p.Name())
	}
	began := time.Now()
	next, err := r.define(ctx, was.Process, to, was.at)
	if err != nil {
		return nil, fmt.Errorf("server %s (%s): %w", was.at.Name, to.Reference, err)
	}
	next.took = time.Since(began)
	close(was.passed)
	<-was.done
	return next, nil
}

// converts returns the webhook for the definitions of a build, or nil if the build has none, the programs beside the
// server, or nil, and what is called when the server has ended.
func (r *Runtime) converts(ctx context.Context, b servers.Build, at servers.Placement, e servers.Endpoint) (hook *webhook, beside *programs, leave func(), err error) {
	if b.Installs.Program == nil {
		hook, err = r.webhook(b)
		return hook, nil, func() {}, err
	}
	beside = r.programs
	if at.Scratch {
		r.mu.Lock()
		r.scratch++
		beside = newPrograms(filepath.Join(r.dir, fmt.Sprintf("programs-scratch-%d", r.scratch)), r.logs, r.images)
		beside.wrong = r.programs.wrong
		r.mu.Unlock()
	}
	if err := beside.join(ctx, b, at.Name, e); err != nil {
		return nil, nil, nil, errors.Join(err, beside.closeScratch(at))
	}
	return beside.front, beside, sync.OnceFunc(func() {
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

// Close implements servers.Runtime. It returns the error of a program that nobody set up, unless a server had it.
func (r *Runtime) Close() error {
	err := errors.Join(r.programs.wrong.unreported(), r.below.Close(), r.programs.close())
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
	of        servers.Build
	at        servers.Placement
	hook      *webhook // nil if the manifests have none
	leave     func()   // once the server has ended, or is one of another build
	turns     turns
	installed []servers.Installed
	took      time.Duration
	wrong     *failure      // of a program beside it
	passed    chan struct{} // closed when the server is one of another build
	done      chan struct{} // closed then, and when the server has ended, or counts as ended
}

// await closes done when the server is one of another build, when it has ended, or when a program beside it says that
// nobody set it up: what the server answers from then on is not what a cluster would. It calls leave when the server has
// ended, or runs another build.
func (p *process) await() {
	defer p.leave() // nobody stops a server that ends by itself
	select {
	case <-p.Process.Done():
		close(p.done)
	case <-p.passed:
		close(p.done)
	case <-p.wrong.happened:
		close(p.done)
		<-p.Process.Done() // with programs, no server becomes one of another build
	}
}

// ReadyAfter includes the time until the installed resources were served.
func (p *process) ReadyAfter() time.Duration { return p.took }

// isPassed reports whether the server is one of another build.
func (p *process) isPassed() bool {
	select {
	case <-p.passed:
		return true
	default:
		return false
	}
}

// Done implements servers.Process.
func (p *process) Done() <-chan struct{} { return p.done }

// Err implements servers.Process. That a program was not set up counts after Redefine too.
func (p *process) Err() error {
	if err := p.wrong.get(); err != nil {
		return err
	}
	if p.isPassed() {
		return nil
	}
	return p.Process.Err()
}

// Stop implements servers.Process. The programs beside the server end after it.
func (p *process) Stop(ctx context.Context) error {
	defer p.leave()
	if p.isPassed() {
		return nil
	}
	return p.Process.Stop(ctx)
}

// Kill implements servers.Process.
func (p *process) Kill() {
	defer p.leave()
	if !p.isPassed() {
		p.Process.Kill()
	}
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
	return install(ctx, p.Process, p.of.Installs, p.hook, p.turns)
}

// Installed implements servers.Installer.
func (p *process) Installed() []servers.Installed { return p.installed }
