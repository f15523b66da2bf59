package apiserver

import (
	"context"
	"errors"
	"io"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/process"
)

// Host is where builds run: this machine itself, or containers on it.
type Host interface {
	// Start executes a build. The error is that of what keeps it from being
	// executed; a child that ends at once is none.
	Start(ctx context.Context, b servers.Build, c Command) (Child, error)
}

// Command is what a build is executed with.
type Command struct {
	Arguments []string
	// Dir is the working directory of a process. A container may read what is in it.
	// Default: the host's own.
	Dir string
	// Env are variables besides those that every process, or the image, has.
	Env []string
	// LogPath takes what the child prints where Stdout and Stderr are nil. It is
	// created with mode 0600 and truncated.
	LogPath string
	// Stdout and Stderr take what it prints. Such a child only answers a question: it
	// serves nobody.
	Stdout, Stderr io.Writer
	// Scratch is a directory that it may fill, and that nobody reads. Default: none.
	Scratch string
}

// Child is what a host started, running or ended.
type Child interface {
	// Done is closed when it has ended and all its output is written.
	Done() <-chan struct{}
	// Err is nil while it runs and after it ended with status 0.
	Err() error
	// Status says how it ended: "exited with status 1", "was killed by signal 9
	// (killed)". While it runs: "is running".
	Status() string
	// Killed reports whether it has ended by SIGKILL, which no program does to itself.
	Killed() bool
	// LogPath is that of its command.
	LogPath() string
	// Stop asks it to end and waits for that. When ctx ends first it kills it, waits,
	// and returns ctx's error. Stopping an ended child does nothing.
	Stop(ctx context.Context) error
	// Kill ends it at once and waits for that.
	Kill()
}

// executables runs builds as processes of this machine.
type executables struct{}

// Start implements Host.
func (executables) Start(_ context.Context, b servers.Build, c Command) (Child, error) {
	child, err := process.Start(process.Command{
		Path: b.Path, File: b.File, Args: c.Arguments, Dir: c.Dir, Env: append(process.Environ(), c.Env...),
		LogPath: c.LogPath, Stdout: c.Stdout, Stderr: c.Stderr,
	})
	if err != nil {
		return nil, err // a nil child in the interface would not be nil
	}
	return child, nil
}

// hosts are those that a runtime has.
type hosts struct {
	images Host // nil: none
}

// of is the host that a build runs on.
func (h hosts) of(b servers.Build) (Host, error) {
	switch {
	case b.Image == "":
		return executables{}, nil
	case h.images == nil:
		return nil, errors.New("is a container image, and nothing here runs those")
	}
	return h.images, nil
}

// ask is AskOn the host of a build.
func (h hosts) ask(ctx context.Context, b servers.Build, arguments ...string) (string, error) {
	host, err := h.of(b)
	if err != nil {
		return "", err
	}
	return AskOn(ctx, host, b, arguments...)
}
