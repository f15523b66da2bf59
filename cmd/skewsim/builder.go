package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
)

// Builder makes the builds of this app, and of the runs that it plays.
func (a *App) Builder() *builder.Builder {
	a.making.Do(func() {
		if a.maker == nil {
			a.maker = builder.New(builder.Config{Progress: shown{a}, Catalogue: scenarios.CatalogueFS(), Guard: guardOf(), OwnReferenceServer: !a.ReferenceServerOnPath, FromSource: a.FromSource, AllowCharts: a.allowPrograms})
		}
	})
	return a.maker
}

// Abreast is an app that builds at once with others: it waits for none of theirs, and has
// its engine in common with them. What it is asked for one after the other is built of the
// same checkout.
func (a *App) Abreast(w io.Writer) *App {
	own := a.Beside(w)
	own.maker = a.Builder().Beside(shown{own})
	return own
}

// CloseBuilders lets go of what the cache handed out, and removes what is left of
// containers. An engine may take its time, in which whoever interrupts once more is not to
// wait: abandon needs the same lock.
func (a *App) CloseBuilders() (err error) {
	a.mutex.Lock()
	children := slices.Clone(a.children)
	a.mutex.Unlock()
	for _, c := range children { // those of a matrix have a builder of their own
		err = errors.Join(err, c.CloseBuilders())
	}
	return errors.Join(err, a.Builder().Close())
}

// shown prints what a builder makes where its app prints errors.
type shown struct{ app *App }

// Begin implements builder.Progress.
func (s shown) Begin(name string) builder.Work { return screen.NewBuild(s.app.Err, name) }

// Note implements builder.Progress.
func (s shown) Note(text string) { fmt.Fprintln(s.app.Err, "skewsim: "+text) }

// guardOf is the command that removes containers when this process ends.
func guardOf() []string {
	self, err := os.Executable()
	if err != nil {
		return nil // and no container is run
	}
	return []string{self, GuardCommand}
}

// NewRuntime makes a runtime that starts builds of every kind, and is closed by abandon.
func (a *App) NewRuntime(secrets, logs string) (servers.Runtime, error) {
	return a.NewSeededRuntime(secrets, logs, "")
}

// NewSeededRuntime makes a runtime whose servers read what others of the same seed encrypted.
func (a *App) NewSeededRuntime(secrets, logs, seed string) (servers.Runtime, error) {
	runtime, err := a.Builder().NewRuntime(secrets, logs, seed)
	if err == nil {
		a.mutex.Lock()
		defer a.mutex.Unlock()
		a.runtimes = append(a.runtimes, runtime)
	}
	return runtime, err
}

// GuardCommand is the hidden command that a run's guard is executed with.
const GuardCommand = "guard-containers"
