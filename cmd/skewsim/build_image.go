package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/container"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
)

// guardCommand is the hidden command that a run's guard is executed with.
const guardCommand = "guard-containers"

// buildImage makes a build of a container image.
func (a *app) buildImage(ctx context.Context, ref servers.Reference) (servers.Build, error) {
	engine, err := a.containers(ctx)
	if err != nil {
		return servers.Build{}, fmt.Errorf("%s: %w", ref, err)
	}
	return engine.Build(ctx, ref.Path, imagePrograms(), func() { fmt.Fprintf(a.err, "skewsim: pulling %s\n", ref.Path) })
}

// imagePrograms are the API servers that images may hold. Images of a control plane
// whose entrypoint starts something else have the first.
func imagePrograms() []container.Program {
	return []container.Program{kubeapiserver.InImages(), frobberapiserver.InImages()}
}

// containers is what runs containers, for all runs of this process.
func (a *app) containers(ctx context.Context) (*container.Engine, error) {
	if of := cmp.Or(a.parent, a.lender); of != nil {
		return of.containers(ctx)
	}
	a.engine.Lock()
	defer a.engine.Unlock()
	if a.docker != nil {
		return a.docker, nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("containers: this program's own file: %w", err)
	}
	a.docker, err = container.Open(ctx, container.Config{Guard: []string{self, guardCommand}})
	return a.docker, err
}

// closeContainers removes what is left of those that ran. An engine may take its time, in
// which whoever interrupts once more is not to wait: abandon needs the same lock.
func (a *app) closeContainers() (err error) {
	a.mutex.Lock()
	children := slices.Clone(a.children)
	a.mutex.Unlock()
	for _, c := range children { // those of a matrix have an engine of their own
		err = errors.Join(err, c.closeContainers())
	}
	a.engine.Lock()
	defer a.engine.Unlock()
	if a.docker != nil {
		err = errors.Join(err, a.docker.Close())
	}
	return err
}

// withClients is, of an image of the reference server, the same release as it comes with
// skewsim, whose clients are run here; any other build itself. Where what comes with
// skewsim is of other releases, the image is given back, and its clients are made of
// what it publishes.
func (a *app) withClients(ctx context.Context, b servers.Build) servers.Build {
	if b.Image == "" || b.Component != frobberapiserver.InImages().Component {
		return b
	}
	release := frobberapiserver.Release(b.Version)
	own, err := a.build(ctx, servers.Reference{Scheme: servers.SchemeTrain, Component: b.Component, Version: release})
	if err != nil {
		fmt.Fprintf(a.err, "the typed clients of %s are not those of %s@%s: %v\n", b.Reference, b.Component, release, err)
		return b
	}
	return own
}

// imageHost runs images for API servers: there is an engine only once an image was
// asked for.
type imageHost struct{ app *app }

// Start implements apiserver.Host.
func (h imageHost) Start(ctx context.Context, b servers.Build, c apiserver.Command) (apiserver.Child, error) {
	engine, err := h.app.containers(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Start(ctx, b, c)
}

// newGuard is what skewsim executes itself with before it runs the first container.
func newGuard() *cobra.Command {
	return &cobra.Command{
		Use:    guardCommand + " RUN",
		Short:  "Remove a run's containers when standard input ends",
		Hidden: true,
		Args:   exactly(1, "the name of a run"),
		RunE: func(_ *cobra.Command, args []string) error {
			return container.Guard(args[0], os.Stdin)
		},
	}
}
