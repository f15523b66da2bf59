package container

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
	"time"

	"github.com/moby/moby/client"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
)

const (
	// printedWithin bounds how long output that does not end delays Done.
	printedWithin = 5 * time.Second
	// killedWithin bounds the time that the engine takes to end a container.
	killedWithin = 30 * time.Second
	// signals is the offset of signal numbers in exit codes.
	signals = 128
)

// Process is a container, running or ended.
type Process struct {
	engine  *Engine
	id      string
	logPath string
	log     io.Closer
	gone    client.ContainerWaitResult
	printed chan struct{} // closed when its output has ended
	done    chan struct{}

	mu    sync.Mutex
	ended bool
	code  int64
	lost  *servers.LostError // nil if the exit code is known
}

var _ apiserver.Child = (*Process)(nil)

// mourn waits until the container has ended and is removed, and its output is written.
func (p *Process) mourn() {
	code, lost := p.end()
	limit := time.NewTimer(printedWithin)
	defer limit.Stop()
	select {
	case <-p.printed:
	case <-limit.C:
	}
	_ = p.log.Close() // all output is written
	p.mu.Lock()
	p.ended, p.code = true, code
	if lost != nil {
		p.lost = &servers.LostError{Err: lost}
	}
	p.mu.Unlock()
	close(p.done)
}

// end waits until the engine reports the exit code, or can no longer do so.
func (p *Process) end() (code int64, lost error) {
	select {
	case end := <-p.gone.Result:
		return end.StatusCode, nil
	case lost = <-p.gone.Error:
		return 0, lost
	}
}

// Done is closed when the container has ended and is removed, and all its output is written; or
// when the engine no longer answers.
func (p *Process) Done() <-chan struct{} { return p.done }

// LogPath returns the path of its output.
func (p *Process) LogPath() string { return p.logPath }

// PID returns the ID that its first process has on this machine; 0 if the engine does not say, or it has ended.
func (p *Process) PID() int {
	ctx, cancel := context.WithTimeout(context.Background(), reachedWithin)
	defer cancel()
	found, err := p.engine.api.ContainerInspect(ctx, p.id, client.ContainerInspectOptions{})
	if err != nil || found.Container.State == nil {
		return 0
	}
	return found.Container.State.Pid
}

// Err returns nil while it runs and after it ended with status 0. The error is a
// *servers.LostError if its end is unknown.
func (p *Process) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.lost != nil:
		return p.lost
	case p.code != 0:
		return errors.New(p.status())
	}
	return nil
}

// Status returns how it ended, in the form of package process: "exited with status 1", "was
// killed by signal 9 (killed)". While it runs: "is running".
func (p *Process) Status() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status()
}

func (p *Process) status() string {
	signal := syscall.Signal(p.code - signals)
	switch {
	case !p.ended:
		return "is running"
	case p.lost != nil:
		return p.lost.Error()
	case p.code > signals && p.code <= signals+64:
		return fmt.Sprintf("was killed by signal %d (%s)", int(signal), signal)
	}
	return fmt.Sprintf("exited with status %d", p.code)
}

// Killed reports whether it was ended by SIGKILL.
func (p *Process) Killed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended && p.lost == nil && p.code == signals+int64(syscall.SIGKILL)
}

// Stop asks it to end (SIGTERM) and waits for that. When ctx ends first, Stop kills it, waits,
// and returns ctx's error.
func (p *Process) Stop(ctx context.Context) error {
	p.signal("SIGTERM")
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
		p.Kill()
		return fmt.Errorf("container: stop: %w; killed it", context.Cause(ctx))
	}
}

// Kill ends it immediately and waits for that, as long as the engine answers.
func (p *Process) Kill() {
	p.signal("SIGKILL")
	limit := time.NewTimer(killedWithin)
	defer limit.Stop()
	select {
	case <-p.done:
	case <-limit.C: // the engine hangs; the guard will try
	}
}

// signal sends a signal to the container's first process. An error can only mean that the
// container has just ended, which is what callers want, or that the engine is gone, which Done
// reports.
func (p *Process) signal(name string) {
	select {
	case <-p.done:
		return
	default:
	}
	ctx, cancel := context.WithTimeout(context.Background(), killedWithin)
	defer cancel()
	_, _ = p.engine.api.ContainerKill(ctx, p.id, client.ContainerKillOptions{Signal: name})
}
