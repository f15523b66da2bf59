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
// Service: the program of a release runs while a server of the release does, and the release that
// was rolled out last has its program answer. While that release has none, nobody does.
type programs struct {
	dir, logs string

	starting sync.Mutex // one release at a time
	front    *webhook   // nil until a server starts
	started  int

	mu   sync.Mutex
	live []*tenant // in the order in which they were rolled out last
}

// tenant is a release of which servers run.
type tenant struct {
	digest, version string
	servers         int
	running         *program.Running // nil if the release has no program
}

func newPrograms(dir, logs string) *programs { return &programs{dir: dir, logs: logs} }

// join counts a server of a build, and starts the program of the build before its first one.
func (p *programs) join(ctx context.Context, b servers.Build, name string, e servers.Endpoint) (err error) {
	p.starting.Lock()
	defer p.starting.Unlock()
	if p.front == nil {
		if p.front, err = serve(filepath.Join(p.dir, "front"), p); err != nil {
			return err
		}
	}
	if p.rejoin(b) {
		return nil
	}
	t := &tenant{digest: b.Digest, version: b.Version, servers: 1}
	if of := b.Installs.Program; of.Path != "" || of.URL != "" {
		p.started++
		t.running, err = program.Start(ctx, *of, program.Placement{
			Dir:     filepath.Join(p.dir, fmt.Sprint(p.started)),
			LogPath: filepath.Join(p.logs, name+"-"+of.Component+".log"), Server: e,
		})
		if err != nil {
			return err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live = append(p.live, t)
	return nil
}

// rejoin counts a further server of a build, which is now the one that was rolled out last. It
// returns false if none of its servers runs.
func (p *programs) rejoin(b servers.Build) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.live, func(t *tenant) bool { return t.digest == b.Digest })
	if i < 0 {
		return false
	}
	t := p.live[i]
	t.servers++
	p.live = append(slices.Delete(p.live, i, i+1), t)
	return true
}

// leave is called when a server of a build has ended. The program ends with the last one.
func (p *programs) leave(b servers.Build) {
	p.starting.Lock()
	defer p.starting.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.live, func(t *tenant) bool { return t.digest == b.Digest })
	if i < 0 {
		return
	}
	t := p.live[i]
	if t.servers--; t.servers > 0 {
		return
	}
	p.live = slices.Delete(p.live, i, i+1)
	if t.running != nil {
		t.running.Kill()
	}
}

// errNobody is why a conversion fails while no program runs.
var errNobody = errors.New("nobody converts: no program runs")

// Convert implements converter.
func (p *programs) Convert(ctx context.Context, review []byte) ([]byte, error) {
	p.mu.Lock()
	var last *tenant
	if len(p.live) > 0 {
		last = p.live[len(p.live)-1]
	}
	p.mu.Unlock()
	switch {
	case last == nil:
		return nil, errNobody
	case last.running == nil:
		return nil, fmt.Errorf("%w, and release %s has none", errNobody, last.version)
	}
	return last.running.Convert(ctx, review)
}

// close ends what still runs.
func (p *programs) close() error {
	p.starting.Lock()
	defer p.starting.Unlock()
	p.mu.Lock()
	for _, t := range p.live {
		if t.running != nil {
			t.running.Kill()
		}
	}
	p.live = nil
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
