package container

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/api/pkg/stdcopy"
	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
)

// startedWithin bounds how long the engine takes to create a container and to start it.
const startedWithin = time.Minute

var _ apiserver.Host = (*Engine)(nil)

// Start implements apiserver.Host: it executes a build that Build made.
func (e *Engine) Start(ctx context.Context, b servers.Build, c apiserver.Command) (apiserver.Child, error) {
	s := Spec{
		Image: b.Image, Command: append([]string{b.Path}, c.Arguments...),
		Reads: append(named(c.Arguments, c.Dir), timeZones()...), Offline: c.Stdout != nil,
	}
	if c.Dir != "" {
		s.Reads = append(s.Reads, c.Dir)
	}
	if c.Scratch != "" {
		s.Scratch = append(s.Scratch, c.Scratch)
	}
	p, err := e.Run(ctx, s, Output{LogPath: c.LogPath, Stdout: c.Stdout, Stderr: c.Stderr})
	if err != nil {
		return nil, err // a nil child in the interface would not be nil
	}
	return p, nil
}

// Output says where what a container prints goes.
type Output struct {
	// LogPath is a file that takes both streams where Stdout and Stderr are nil. It is
	// created with mode 0600 and truncated.
	LogPath string
	// Append keeps what is in the file already.
	Append         bool
	Stdout, Stderr io.Writer
}

func (o *Output) open() (io.Closer, error) {
	if o.Stdout != nil || o.Stderr != nil {
		return io.NopCloser(nil), nil
	}
	how := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	if !o.Append {
		how |= os.O_TRUNC
	}
	file, err := os.OpenFile(o.LogPath, how, 0o600)
	if err != nil {
		return nil, fmt.Errorf("log: %w", err)
	}
	o.Stdout, o.Stderr = file, file
	return file, nil
}

// Run creates a container and starts it. Whatever it began it undoes when it fails.
// What keeps the image's executable from being executed is a *servers.RequestError.
func (e *Engine) Run(ctx context.Context, s Spec, o Output) (*Process, error) {
	log, err := o.open()
	if err != nil {
		return nil, err
	}
	// An engine that is asked to create goes on with that when nobody waits any more.
	// So it is waited for, whatever becomes of ctx.
	engineCtx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), startedWithin, fmt.Errorf("the Docker engine did not do it within %s", startedWithin))
	defer cancel()
	p, err := e.start(engineCtx, s, o)
	if err != nil {
		return nil, errors.Join(engines(err), log.Close())
	}
	p.logPath, p.log = o.LogPath, log
	go p.mourn()
	if ctx.Err() != nil {
		p.Kill()
		return nil, context.Cause(ctx)
	}
	return p, nil
}

func (e *Engine) start(ctx context.Context, s Spec, o Output) (*Process, error) {
	name := fmt.Sprintf("%s-%d", e.run, e.created.Add(1))
	e.guard.tell(beginning, name)
	created, err := e.provider.CreateContainer(ctx, e.request(name, s))
	e.guard.tell(settled, name)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("create a container: %w", err), e.discard(name))
	}
	p := &Process{engine: e, id: created.GetContainerID(), done: make(chan struct{}), printed: make(chan struct{})}
	// Before the start, so that neither the first word nor the end is missed.
	attached, err := e.api.ContainerAttach(ctx, p.id, client.ContainerAttachOptions{Stream: true, Stdout: true, Stderr: true})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("attach to a container: %w", err), e.discard(name))
	}
	go p.copy(attached.HijackedResponse, o)
	p.gone = e.api.ContainerWait(context.Background(), p.id, client.ContainerWaitOptions{Condition: container.WaitConditionRemoved})
	if err := created.Start(ctx); err != nil {
		attached.Close()
		<-p.printed
		go p.end() // whose channels want to be read
		return nil, errors.Join(cannotStart(err), e.discard(name))
	}
	return p, nil
}

// discard removes a container that never ran. The engine may have done so itself.
func (e *Engine) discard(name string) error {
	ctx, cancel := context.WithTimeout(context.Background(), startedWithin)
	defer cancel()
	return remove(ctx, e.api, name)
}

// cannotStart tells an executable that is missing, or none for this machine, from what
// the engine has to answer for.
func cannotStart(err error) error {
	err = fmt.Errorf("start a container: %w", err)
	if errdefs.IsNotFound(err) || errdefs.IsInvalidArgument(err) {
		return &servers.RequestError{Err: err}
	}
	return err
}

// engines has the engine answer for an error, unless it is the image's.
func engines(err error) error {
	if request := (*servers.RequestError)(nil); errors.As(err, &request) {
		return err
	}
	return &EngineError{Err: err}
}

// copy writes what the container prints where it belongs.
func (p *Process) copy(attached client.HijackedResponse, o Output) {
	defer close(p.printed)
	defer attached.Close()
	_, _ = stdcopy.StdCopy(o.Stdout, o.Stderr, attached.Reader) // it ends with the container, or the engine
}
