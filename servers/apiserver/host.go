package apiserver

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/process"
)

// Host runs builds, on this machine or in containers.
type Host interface {
	// Start executes a build. The error says why the build could not be executed; a child that
	// ends at once is not an error.
	Start(ctx context.Context, b servers.Build, c Command) (Child, error)
}

// Command describes how to execute a build.
type Command struct {
	Arguments []string
	// Dir is the working directory of a process. A container can read its files. Default: the
	// host's own.
	Dir string
	// LogPath receives the child's output where Stdout and Stderr are nil. It is created with
	// mode 0600 and truncated.
	LogPath string
	// Stdout and Stderr receive the child's output. Such a child only answers a question and
	// does not serve.
	Stdout, Stderr io.Writer
	// Scratch is a directory that the child may write to and that nobody reads. Default: none.
	Scratch string
}

// Child is a program that a host started, running or ended.
type Child interface {
	// Done is closed when the child has ended and all its output is written.
	Done() <-chan struct{}
	// Err returns nil while the child runs and after it ended with status 0.
	Err() error
	// Status returns how the child ended: "exited with status 1", "was killed by signal 9
	// (killed)". While it runs: "is running".
	Status() string
	// Killed reports whether the child was ended by SIGKILL, which no program does to itself.
	Killed() bool
	// LogPath returns the LogPath of the command.
	LogPath() string
	// Stop asks the child to end and waits for it. When ctx ends first, Stop kills the child,
	// waits, and returns ctx's error. Stopping an ended child does nothing.
	Stop(ctx context.Context) error
	// Kill ends the child immediately and waits for it.
	Kill()
}

// executables runs builds as processes of this machine.
type executables struct{}

// Start implements Host.
func (executables) Start(_ context.Context, b servers.Build, c Command) (Child, error) {
	arguments := c.Arguments
	if b.Subcommand != "" {
		arguments = append([]string{b.Subcommand}, arguments...)
	}
	child, err := process.Start(process.Command{
		Path: b.Path, File: b.File, Args: arguments, Dir: c.Dir, Env: append(process.Environ(), collecting()...),
		LogPath: c.LogPath, Stdout: c.Stdout, Stderr: c.Stderr,
	})
	if err != nil {
		return nil, err // a nil child in the interface would not be nil
	}
	return child, nil
}

// collecting returns the variable that says how a server collects garbage: it lives for minutes, and collecting is a third of the work
// of one with large definitions, so its heap grows to three times what it uses. Whoever sets GOGC or GOMEMLIMIT has
// decided otherwise.
func collecting() []string {
	percent, set := os.LookupEnv("GOGC")
	switch {
	case set:
		return []string{"GOGC=" + percent}
	case os.Getenv("GOMEMLIMIT") != "":
		return nil
	}
	return []string{"GOGC=200"}
}

// hosts are the hosts of a runtime.
type hosts struct {
	images Host // nil: none
}

// of returns the host that a build runs on.
func (h hosts) of(b servers.Build) (Host, error) {
	switch {
	case b.Image == "":
		return executables{}, nil
	case h.images == nil:
		return nil, errors.New("is a container image, and no Docker engine is configured to run it")
	}
	return h.images, nil
}

// ask calls AskOn with the host of a build.
func (h hosts) ask(ctx context.Context, b servers.Build, arguments ...string) (string, error) {
	host, err := h.of(b)
	if err != nil {
		return "", err
	}
	return AskOn(ctx, host, b, arguments...)
}
