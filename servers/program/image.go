package program

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
)

// Child is a program that was started, running or ended.
type Child interface {
	// Done is closed when it has ended and all its output is written.
	Done() <-chan struct{}
	// Status returns how it ended, such as "exited with status 1".
	Status() string
	// PID returns the ID of its process on this machine; 0 if it is unknown.
	PID() int
	// Kill ends it at once and waits for it. Killing it again does nothing.
	Kill()
}

// Container is a container to run.
type Container struct {
	// Image is the ID of its image.
	Image string
	// Command is the executable, looked up in the image's PATH, and its arguments. Env are variables
	// beside those of the image, each as NAME=VALUE.
	Command, Env []string
	// Dir is a directory of this machine that it can read, under the same path.
	Dir string
	// LogPath is the file that its output is appended to.
	LogPath string
}

// Images runs containers on this machine's network, and removes them however this process ends.
type Images interface {
	StartContainer(ctx context.Context, c Container) (Child, error)
}

// errNoImages reports a Placement without Images.
var errNoImages = errors.New("nothing here runs container images")

// startContainer starts the program's image.
func (r *Running) startContainer(ctx context.Context, args, env []string) (Child, error) {
	if r.at.Images == nil {
		return nil, errNoImages
	}
	return r.at.Images.StartContainer(ctx, Container{
		Image: r.program.Image, Command: append([]string{r.program.Path}, args...), Env: env, Dir: r.at.Dir, LogPath: r.at.LogPath,
	})
}

// unstarted returns the error for a program that could not be executed: the user's, unless the machine
// failed or somebody ended the command.
func (r *Running) unstarted(err error) error {
	if fault.Is(err, fault.Infrastructure) || fault.Is(err, fault.Canceled) {
		return fmt.Errorf("program %s: %w", r.program.Component, err)
	}
	return r.wrong(err)
}

// ImageOf returns the name of the container image of a release with that version; "" if the program is
// in none.
func (e *Entry) ImageOf(version string) string {
	return strings.ReplaceAll(e.Image, versionVariable, version)
}

// InImage returns the program of a release with that version, in an image with that ID, entrypoint and
// command. As in a pod, flags go in place of the image's command; but an image without an entrypoint has
// nothing else to execute, so its command stays, and flags come after it.
func (e *Entry) InImage(version, id string, entrypoint, command []string) (servers.Program, error) {
	p, err := e.Program(version, "")
	if err != nil {
		return p, err
	}
	own := entrypoint
	if len(own) == 0 || len(e.Flags) == 0 {
		own = slices.Concat(entrypoint, command)
	}
	if len(own) == 0 {
		return p, e.InvalidImage(errors.New("its image has neither an entrypoint nor a command: give it one when it is built"))
	}
	p.Image, p.Path, p.Args = id, own[0], slices.Concat(own[1:], p.Args)
	p.Digest, err = digestOf(p)
	return p, err
}

// InvalidImage returns the error for an image that cannot be used, with its place in the file.
func (e *Entry) InvalidImage(err error) error {
	return e.problem("image", "%v", err)
}
