package container

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/api/types/image"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/fault"
)

// pulledWithin bounds the time to pull an image.
const pulledWithin = 15 * time.Minute

// Program is an API server that images may contain.
type Program struct {
	File      string // the name of its executable
	Component string // the Component of its builds
	// Version parses the output of --version.
	Version func(answer string) (string, error)
}

// Build makes a build from the image of that name. It pulls a missing image, after calling
// pulling. The server is the first of programs that the image's entrypoint names, or else the
// first program, looked up in the image's PATH, as static pods of control planes start it.
// Build runs it to get its version. Errors in the image are a *servers.RequestError.
func (e *Engine) Build(ctx context.Context, name string, programs []Program, pulling func()) (servers.Build, error) {
	reference := string(servers.SchemeImage) + ":" + name
	found, err := e.Image(ctx, name, pulling)
	if err != nil {
		return servers.Build{}, fmt.Errorf("%s: %w", reference, err)
	}
	command, program := serverOf(found, programs)
	b := servers.Build{
		Reference: reference, Component: program.Component, Path: command[0],
		Image: found.ID, Digest: strings.TrimPrefix(found.ID, "sha256:"),
	}
	// The image's own arguments may select the release.
	answer, err := apiserver.AskOn(ctx, e, b, append(command[1:], "--version")...)
	if err == nil {
		b.Version, err = program.Version(answer)
	}
	switch {
	case ctx.Err() != nil:
		return servers.Build{}, context.Cause(ctx)
	case fault.Has(err, fault.EngineFailed):
		return servers.Build{}, fmt.Errorf("%s: %w", reference, err)
	case err != nil:
		return servers.Build{}, apiserver.Unanswered(fmt.Errorf("%s: is there a server in it? %s: %w", reference, command[0], err))
	}
	return b, nil
}

// serverOf returns the command that starts the server of an image, and its program.
func serverOf(found image.InspectResponse, programs []Program) ([]string, Program) {
	var own []string
	if found.Config != nil {
		own = slices.Concat(found.Config.Entrypoint, found.Config.Cmd)
	}
	for i, word := range own {
		at := slices.IndexFunc(programs, func(p Program) bool { return p.File == path.Base(word) })
		if at >= 0 {
			return own[i:], programs[at]
		}
	}
	return []string{programs[0].File}, programs[0]
}

// Image finds an image, and pulls it if it is missing.
func (e *Engine) Image(ctx context.Context, name string, pulling func()) (image.InspectResponse, error) {
	found, err := e.api.ImageInspect(ctx, name)
	if errdefs.IsNotFound(err) {
		pulling()
		pullErr := e.pull(ctx, name)
		if found, err = e.api.ImageInspect(ctx, name); errdefs.IsNotFound(err) {
			if ctx.Err() != nil {
				return image.InspectResponse{}, context.Cause(ctx)
			}
			return image.InspectResponse{}, missing(pullErr)
		}
	}
	switch {
	case errdefs.IsInvalidArgument(err):
		return image.InspectResponse{}, &servers.RequestError{Err: fmt.Errorf("not the name of an image: %w", err)}
	case err != nil:
		return image.InspectResponse{}, &EngineError{Err: err}
	case found.Os != "linux" || found.Architecture != runtime.GOARCH:
		return image.InspectResponse{}, &servers.RequestError{Err: fmt.Errorf("is for %s/%s, and this machine is linux/%s: "+
			"name an image that has it", found.Os, found.Architecture, runtime.GOARCH)}
	}
	return found.InspectResponse, nil
}

func (e *Engine) pull(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, pulledWithin, fmt.Errorf("not there after %s", pulledWithin))
	defer cancel()
	return e.provider.PullImage(ctx, name)
}

// missing returns the error for an image that is not on this machine and cannot be pulled: a
// *servers.RequestError if the registry does not have it, or refuses this user, and a
// *RegistryError if the registry did not answer.
func missing(err error) error {
	if err == nil {
		err = errors.New("the registry did not send all of it")
	}
	told := fmt.Errorf("is not on this machine, and cannot be pulled: %w; check the name, or build or load it (docker build, docker load)", err)
	if errdefs.IsNotFound(err) || errdefs.IsInvalidArgument(err) || errdefs.IsUnauthorized(err) || errdefs.IsPermissionDenied(err) ||
		turnsAway.MatchString(err.Error()) {
		return &servers.RequestError{Err: told}
	}
	return &RegistryError{told}
}

// turnsAway matches what registries answer to unknown users; engines pass it on as their own
// error.
var turnsAway = regexp.MustCompile(`\b(unauthorized|denied|no basic auth credentials)\b`)
