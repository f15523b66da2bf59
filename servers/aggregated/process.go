package aggregated

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/skewsim/skewsim/servers"
)

// process is a replica: a server and its kube-apiserver. Clients reach the server through the
// kube-apiserver.
type process struct {
	link         *link
	server, core servers.Process
	readyAfter   time.Duration
	done         chan struct{}

	mu    sync.Mutex
	asked bool // to stop
	err   error
}

// undo ends the servers of a replica that does not become ready.
func (p *process) undo() {
	p.ask()
	for _, one := range []servers.Process{p.core, p.server} {
		if one != nil {
			one.Kill()
		}
	}
	p.link.close()
}

// mourn waits until one of the two ends, ends the other, and records whether that was expected.
func (p *process) mourn() {
	var err error
	select {
	case <-p.server.Done():
		err = p.server.Err()
		p.core.Kill()
	case <-p.core.Done():
		err = p.core.Err()
		if p.isAsked() {
			<-p.server.Done() // Stop ends it next
		} else {
			p.server.Kill()
		}
	}
	p.link.close()
	p.mu.Lock()
	if !p.asked {
		p.err = err
	}
	p.mu.Unlock()
	close(p.done)
}

func (p *process) ask() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = true
}

func (p *process) isAsked() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked
}

func (p *process) Name() string               { return p.server.Name() }
func (p *process) Endpoint() servers.Endpoint { return p.core.Endpoint() }
func (p *process) ReadyAfter() time.Duration  { return p.readyAfter }
func (p *process) Done() <-chan struct{}      { return p.done }
func (p *process) LogPath() string            { return p.server.LogPath() }

func (p *process) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// Stop ends the kube-apiserver first: without its server it would tell the other
// kube-apiservers, through the store, that nobody can be reached. Stop first closes the
// server's watches on the kube-apiserver, which waits for its clients to leave.
func (p *process) Stop(ctx context.Context) error {
	p.ask()
	p.link.toCore.close()
	err := errors.Join(p.core.Stop(ctx), p.server.Stop(ctx))
	<-p.done
	return err
}

// Kill ends both, in the same order.
func (p *process) Kill() {
	p.ask()
	p.core.Kill()
	p.server.Kill()
	<-p.done
}

// Panicked implements servers.PanicTeller. The server sees the audit ID that the client sent to
// the kube-apiserver.
func (p *process) Panicked(auditID string) *servers.Panic {
	for _, half := range []servers.Process{p.server, p.core} {
		if t, ok := half.(servers.PanicTeller); ok {
			if found := t.Panicked(auditID); found != nil {
				return found
			}
		}
	}
	return nil
}

// Lacks implements servers.Degraded.
func (p *process) Lacks(collections []string) servers.Lack {
	return servers.LackOf(p.server, collections)
}
