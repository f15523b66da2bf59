package process

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/skewsim/skewsim/servers"
)

// waitDelay bounds how long Done is held back, after the child itself has
// ended, by grandchildren that still hold its output pipes.
const waitDelay = 5 * time.Second

// Command is what to run.
type Command struct {
	// Path of the executable; it is not looked up in PATH.
	Path string
	// File is the executable as it must be: what has other bytes is not executed, and the
	// error is a *servers.ChangedError. Default: whatever is there is executed.
	File servers.File
	Args []string
	// Dir is the working directory. Default: the parent's.
	Dir string
	// Env is the whole environment of the child, see Environ. Default: Environ().
	Env []string
	// LogPath is the file that takes standard output and standard error where
	// Stdout and Stderr are nil. It is created with mode 0600 and truncated.
	// Default: none, the output is discarded.
	LogPath string
	// Stdout and Stderr, when set, take that stream instead of the log.
	Stdout, Stderr io.Writer
	// Stdin is what the child reads: a file, so that nothing here copies it and
	// holds up the end. The caller closes its own. Default: none, the child
	// reads nothing.
	Stdin *os.File
	// EndsGroup says that what the child started and left behind, such as the background job of a script, is killed
	// when the child has ended. Only Linux can tell it from later processes with the same group ID.
	EndsGroup bool
}

// Process is a child, running or ended.
type Process struct {
	cmd     *exec.Cmd
	log     *os.File
	logPath string
	done    chan struct{}
	// endsGroup is that of the command.
	endsGroup bool

	// mu keeps a signal from reaching whoever got the child's process ID
	// after it ended.
	mu    sync.Mutex
	ended bool
	err   error
}

// Start runs the command. The error is that of creating the log or of the
// kernel refusing to execute the file; a child that ends at once is no error
// of Start.
func Start(c Command) (*Process, error) {
	if err := unchanged(c.Path, c.File); err != nil {
		return nil, fmt.Errorf("%s: start: %w", filepath.Base(c.Path), err)
	}
	p := &Process{logPath: c.LogPath, done: make(chan struct{}), endsGroup: c.EndsGroup}
	if err := p.openLog(); err != nil {
		return nil, err
	}
	p.cmd = p.command(c)
	started := make(chan error)
	go p.run(started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("%s: start: %w", filepath.Base(c.Path), err)
	}
	return p, nil
}

func (p *Process) openLog() error {
	if p.logPath == "" {
		return nil
	}
	log, err := os.OpenFile(p.logPath, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("log: %w", err)
	}
	p.log = log
	return nil
}

func (p *Process) command(c Command) *exec.Cmd {
	cmd := &exec.Cmd{Path: c.Path, Args: append([]string{c.Path}, c.Args...), Dir: c.Dir, Env: c.Env}
	if cmd.Env == nil {
		cmd.Env = Environ()
	}
	if p.log != nil {
		// Only a non-nil file may go into the interfaces, and as a file, so
		// that the child writes it directly: what it printed before it died
		// is all there when Wait returns.
		cmd.Stdout, cmd.Stderr = p.log, p.log
	}
	if c.Stdin != nil { // a nil file in the interface would not be nil
		cmd.Stdin = c.Stdin
	}
	if c.Stdout != nil {
		cmd.Stdout = c.Stdout
	}
	if c.Stderr != nil {
		cmd.Stderr = c.Stderr
	}
	cmd.WaitDelay = waitDelay
	cmd.SysProcAttr = attributes()
	return cmd
}

// run starts the child and waits for it on one and the same thread: Linux
// sends the parent-death signal when the *thread* that forked ends, so that
// thread must live as long as the child.
func (p *Process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if p.log != nil {
		defer p.log.Close()
	}
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	if p.endsGroup {
		endGroup(p.cmd.Process)
	}
	err = p.cmd.Wait()
	p.mu.Lock()
	p.ended, p.err = true, err
	p.mu.Unlock()
	close(p.done)
}

// PID is the child's process ID. It means nothing once Done is closed.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// LogPath is the file given in the command.
func (p *Process) LogPath() string { return p.logPath }

// Done is closed when the child has ended and all its output is written.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err is nil while the child runs and after it ended with status 0, otherwise
// what [exec.Cmd.Wait] said.
func (p *Process) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// Status says how the child ended: "exited with status 1", "was killed by
// signal 9 (killed)". While it runs: "is running".
func (p *Process) Status() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended {
		return "is running"
	}
	return status(p.cmd.ProcessState)
}

func status(s *os.ProcessState) string {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return fmt.Sprintf("was killed by signal %d (%s)", int(w.Signal()), w.Signal())
	}
	return fmt.Sprintf("exited with status %d", s.ExitCode())
}

// Killed reports whether the child has ended by SIGKILL, which no program does to itself.
func (p *Process) Killed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended && killed(p.cmd.ProcessState)
}

func killed(s *os.ProcessState) bool {
	w, ok := s.Sys().(syscall.WaitStatus)
	return ok && w.Signaled() && w.Signal() == syscall.SIGKILL
}

// Stop asks the child and its own children to end (SIGTERM) and waits for it.
// When ctx ends first it kills them, waits, and returns ctx's error. Stopping
// an ended child does nothing.
func (p *Process) Stop(ctx context.Context) error {
	p.signal(syscall.SIGTERM)
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
		p.Kill()
		return fmt.Errorf("%s: stop: %w; killed it", filepath.Base(p.cmd.Path), context.Cause(ctx))
	}
}

// Kill ends the child and its own children at once and waits for it.
func (p *Process) Kill() {
	p.signal(syscall.SIGKILL)
	<-p.done
}

// signal reaches the child's whole process group while the child lives. An
// error can only mean that it has just ended, which is what a caller wants.
func (p *Process) signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended {
		_ = signalGroup(p.cmd.Process, s)
	}
}
