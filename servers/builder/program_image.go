package builder

import (
	"context"
	"errors"
	"fmt"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/container"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/program"
)

// inImage returns the program of an entry with a container image, for a release of a version. A missing
// image is pulled.
func (b *Builder) inImage(ctx context.Context, entry *program.Entry, version string) (*servers.Program, error) {
	name := entry.ImageOf(version)
	engine, err := b.engine.open(ctx)
	if lacks := (*container.EngineError)(nil); errors.As(err, &lacks) {
		err = lacks.ForProgram()
	}
	if err != nil {
		return nil, fmt.Errorf("program %s: %s: %w", entry.Component, name, err)
	}
	found, err := engine.Image(ctx, name, b.pulling(name))
	if request := (*servers.RequestError)(nil); errors.As(err, &request) {
		return nil, fault.ByUser(entry.InvalidImage(fmt.Errorf("%s: %w", name, err)))
	}
	if err != nil {
		return nil, fmt.Errorf("program %s: %s: %w", entry.Component, name, err)
	}
	var entrypoint, command []string
	if found.Config != nil {
		entrypoint, command = found.Config.Entrypoint, found.Config.Cmd
	}
	p, err := entry.InImage(version, found.ID, entrypoint, command)
	return &p, fault.ByUser(err)
}

// Images runs programs that are container images. It opens the engine on first use.
func (b *Builder) Images() program.Images { return programHost{b.engine} }

// programHost runs images for programs.
type programHost struct{ engine *engine }

// StartContainer implements program.Images.
func (h programHost) StartContainer(ctx context.Context, c program.Container) (program.Child, error) {
	engine, err := h.engine.open(ctx)
	if err != nil {
		return nil, err
	}
	p, err := engine.Run(ctx, container.Spec{Image: c.Image, Command: c.Command, Env: c.Env, Reads: []string{c.Dir}}, container.Output{LogPath: c.LogPath, Append: true})
	if err != nil {
		return nil, err // a nil child in the interface would not be nil
	}
	return p, nil
}
