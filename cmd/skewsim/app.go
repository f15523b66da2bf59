package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/sim/engine"
)

// App is what every command shares.
type App struct {
	Out, Err io.Writer
	// ReferenceServerOnPath has an installed frobber-apiserver played. Default: this
	// executable, whose main runs it.
	ReferenceServerOnPath bool
	// FromSource builds releases of Kubernetes although somebody has built them.
	FromSource bool

	// allowPrograms says that the command has --allow-programs.
	allowPrograms bool

	impacts  string      // whether impacts alone fail the command
	Opened   atomic.Bool // the run, or the matrix, has made its directory its own
	mutex    sync.Mutex  // of the fields below
	children []*App
	// temporary are directories that must not outlive the process, such as those with keys;
	// runtimes start the servers of what goes on.
	temporary []string
	runtimes  []servers.Runtime
	making    sync.Once // of maker
	maker     *builder.Builder
	runs      *engine.Engine // of mutex; nil: none was executed
	profile   profile        // what --profile asks for
}

// newApp is what the process prints with.
func newApp() *App {
	// A reader that went away (| head) must not end the run in the middle, and
	// leave its keys behind.
	signal.Ignore(syscall.SIGPIPE)
	return &App{Out: &output{File: os.Stdout}, Err: os.Stderr}
}

// Warn prints a line beside what the command prints.
func (a *App) Warn(text string) { fmt.Fprintln(a.Err, text) }

// Temporary receives a directory that must not outlive the process.
func (a *App) Temporary(dir string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.temporary = append(a.temporary, dir)
}

// Beside returns an app that ends with this one, and shares nothing else with it.
func (a *App) Beside(w io.Writer) *App {
	c := &App{Out: w, Err: w, ReferenceServerOnPath: a.ReferenceServerOnPath, FromSource: a.FromSource, allowPrograms: a.allowPrograms}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.children = append(a.children, c)
	return c
}
