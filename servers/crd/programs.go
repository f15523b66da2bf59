package crd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/program"
)

// programs run beside the servers of one control plane, behind one address, as pods behind a
// Service. Until somebody chooses one, the program of a release runs while a server of the release
// does, and the release that was rolled out last has its program answer. Once one is chosen it runs
// alone, whichever servers there are. While the release that answers has none, nobody does.
type programs struct {
	dir, logs string
	images    program.Images

	starting sync.Mutex       // one program at a time
	front    *webhook         // nil until a server starts
	started  int              // how many programs have been
	server   servers.Endpoint // the server that started last
	// configured are the configurations of admission webhooks in the store, by plural and name.
	configured map[string]string

	wrong *failure // of a program that nobody set up

	mu       sync.Mutex
	live     []*tenant // those with servers, in the order in which they were rolled out last
	isChosen bool
	chosen   *tenant // if isChosen; nil: none runs
}

// tenant is a release of which servers run, or whose program does.
type tenant struct {
	digest, version string
	servers         int
	of              *servers.Program
	running         *program.Running // nil if the program does not run, or the release has none
}

// has reports whether the release has a program at all.
func (t *tenant) has() bool { return t.of.Path != "" || t.of.URL != "" }

func newPrograms(dir, logs string, images program.Images) *programs {
	return &programs{dir: dir, logs: logs, images: images, wrong: newFailure()}
}

// join counts a server of a build. Unless one is chosen, it starts the program of the build before
// its first one; a chosen one that asks servers is started anew, to ask this one.
func (p *programs) join(ctx context.Context, b servers.Build, name string, e servers.Endpoint) (err error) {
	p.starting.Lock()
	defer p.starting.Unlock()
	if err := p.open(); err != nil {
		return err
	}
	p.server = e
	p.mu.Lock()
	chosen, runs := p.isChosen, p.chosen
	p.mu.Unlock()
	switch t := p.rejoin(b); {
	case t != nil && !chosen:
		return nil
	case chosen && runs != nil && runs.running != nil && runs.of.NeedsServer():
		old := runs.running
		if err := p.start(ctx, runs, name); err != nil {
			p.mu.Lock()
			defer p.mu.Unlock()
			t.servers-- // the caller's server ends, and does not leave
			return err
		}
		old.Kill()
		return nil
	case chosen:
		return nil
	}
	t := tenantOf(b)
	t.servers = 1
	if err := p.start(ctx, t, name); err != nil {
		return err
	}
	if err := p.configure(ctx, t.of, e); err != nil {
		t.kill() // nobody has it yet
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live = append(p.live, t)
	return nil
}

// open starts the front, once. The caller holds starting.
func (p *programs) open() (err error) {
	if p.front == nil {
		p.front, err = serve(filepath.Join(p.dir, "front"), p)
	}
	return err
}

// serves notes a server, whether its release has a program or not.
func (p *programs) serves(e servers.Endpoint) {
	p.starting.Lock()
	defer p.starting.Unlock()
	p.server = e
}

// tenantOf returns the tenant of a build. One of rules has no program.
func tenantOf(b servers.Build) *tenant {
	t := &tenant{digest: b.Digest, version: b.Version, of: b.Installs.Program}
	if t.of == nil {
		t.of = &servers.Program{}
	}
	return t
}

// start starts the program of a release, if it has one.
func (p *programs) start(ctx context.Context, t *tenant, name string) error {
	if !t.has() {
		return nil
	}
	p.started++
	running, err := program.Start(ctx, *t.of, program.Placement{
		Dir:     filepath.Join(p.dir, fmt.Sprint(p.started)),
		LogPath: filepath.Join(p.logs, name+"-"+t.of.Component+".log"), Server: p.server, Wrong: p.wrong.set, Images: p.images,
	})
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t.running = running
	return nil
}

// rejoin counts a server of a build of which servers run already, or that is not started here
// because one is chosen. It is now the one that was rolled out last. Else it returns nil.
func (p *programs) rejoin(b servers.Build) *tenant {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.find(b)
	switch {
	case t != nil:
		p.live = slices.DeleteFunc(p.live, func(o *tenant) bool { return o == t })
	case p.isChosen:
		t = tenantOf(b)
	default:
		return nil
	}
	t.servers++
	p.live = append(p.live, t)
	return t
}

// find returns the tenant of a build; nil if there is none. The caller holds mu.
func (p *programs) find(b servers.Build) *tenant {
	if p.chosen != nil && p.chosen.digest == b.Digest {
		return p.chosen
	}
	if i := slices.IndexFunc(p.live, func(t *tenant) bool { return t.digest == b.Digest }); i >= 0 {
		return p.live[i]
	}
	return nil
}

// leave is called when a server of a build has ended. Its program ends with the last one, unless it
// is the chosen one.
func (p *programs) leave(b servers.Build) {
	p.starting.Lock()
	defer p.starting.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.find(b)
	if t == nil {
		return
	}
	if t.servers--; t.servers > 0 {
		return
	}
	p.live = slices.DeleteFunc(p.live, func(o *tenant) bool { return o == t })
	if t != p.chosen {
		t.kill()
	}
}

// choose has the program of a build run alone; nil: none. The new one is ready before the one
// before ends.
func (p *programs) choose(ctx context.Context, b *servers.Build) error {
	p.starting.Lock()
	defer p.starting.Unlock()
	if err := p.open(); err != nil {
		return err
	}
	var next *tenant
	if b != nil {
		p.mu.Lock()
		next = p.find(*b)
		p.mu.Unlock()
		if next == nil {
			next = tenantOf(*b)
		}
		ran := next.running != nil
		if !ran {
			if err := p.start(ctx, next, fmt.Sprintf("program-%d", p.started+1)); err != nil {
				return err
			}
		}
		if err := p.configure(ctx, next.of, p.server); err != nil {
			if !ran {
				p.mu.Lock()
				defer p.mu.Unlock()
				next.kill()
			}
			return err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	before := append(slices.Clone(p.live), p.chosen)
	p.isChosen, p.chosen = true, next
	for _, t := range before {
		if t != nil && t != next {
			t.kill()
		}
	}
	return nil
}

// kill ends the tenant's program. The caller holds mu.
func (t *tenant) kill() {
	if t.running != nil {
		t.running.Kill()
		t.running = nil
	}
}

// errNobody is why a conversion fails while no program runs.
var errNobody = errors.New("nobody converts: no program runs")

// Convert implements converter.
func (p *programs) Convert(ctx context.Context, review []byte) ([]byte, error) {
	answers, running := p.answers()
	switch {
	case answers == nil:
		return nil, errNobody
	case running == nil:
		return nil, fmt.Errorf("%w, and release %s has none", errNobody, answers.version)
	}
	return running.Convert(ctx, review)
}

// answers returns the release whose program answers, and the program; nil if there is none.
func (p *programs) answers() (*tenant, *program.Running) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.chosen
	if !p.isChosen && len(p.live) > 0 {
		t = p.live[len(p.live)-1]
	}
	if t == nil {
		return nil, nil
	}
	return t, t.running
}

// close ends what still runs.
func (p *programs) close() error {
	p.starting.Lock()
	defer p.starting.Unlock()
	p.mu.Lock()
	for _, t := range append(p.live, p.chosen) {
		if t != nil {
			t.kill()
		}
	}
	p.live, p.chosen = nil, nil
	p.mu.Unlock()
	if p.front == nil {
		return nil
	}
	return p.front.close()
}

// closeScratch closes the programs of a scratch server, which has its own.
func (p *programs) closeScratch(at servers.Placement) error {
	if !at.Scratch {
		return nil
	}
	return p.close()
}
