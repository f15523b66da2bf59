package container

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/moby/moby/api/types/system"

	"github.com/skewsim/skewsim/servers/fault"
)

// EngineError reports that no Docker engine can run images here, or that the engine failed.
// Another image would not help.
type EngineError struct {
	Err error
	// WayOut is what the user can do without an engine; "" if nothing.
	WayOut string
}

// Error returns what is wrong, and what to do instead.
func (e *EngineError) Error() string {
	if e.WayOut == "" {
		return "container images: " + e.Err.Error()
	}
	return "container images: " + e.Err.Error() + "; " + e.WayOut
}

// Unwrap returns the error.
func (e *EngineError) Unwrap() error { return e.Err }

// Fault reports that the engine failed.
func (e *EngineError) Fault() fault.Fault {
	return fault.Fault{Kind: fault.Infrastructure, Failure: fault.EngineFailed}
}

// ForStore returns the error with the advice for a user who needs the engine only for a store.
func (e *EngineError) ForStore() *EngineError {
	return &EngineError{e.Err, "the store needs one for image: alone, so leave --store out for skewsim's own etcd, or name one that runs with --etcd"}
}

// ForProgram returns the error with the advice for a user who needs the engine only for a program.
func (e *EngineError) ForProgram() *EngineError {
	return &EngineError{e.Err, "the program needs one for image: alone, so name its command or its module instead, or the url where it runs"}
}

// RegistryError reports that the registry of an image did not answer, or broke off. A retry may
// succeed.
type RegistryError struct{ Err error }

// Error returns what is wrong, and what to do instead.
func (e *RegistryError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *RegistryError) Unwrap() error { return e.Err }

// Fault reports that the registry failed.
func (e *RegistryError) Fault() fault.Fault {
	return fault.Fault{Kind: fault.Infrastructure, Failure: fault.RegistryDown}
}

// without is what the user can do without an engine.
const without = "only image: needs one, so use another build, such as kube-apiserver@v1.36 or path:FILE"

// unreachable returns the error for an engine that does not answer.
func unreachable(err error) error {
	if errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), "permission denied") {
		return &EngineError{fmt.Errorf("this user may not use the Docker engine: %w; join the group docker "+
			"(sudo usermod -aG docker $USER, then log in again)", inOneLine(err)), without}
	}
	return &EngineError{fmt.Errorf("no Docker engine answers: %w; install one (docker.io on Debian and Ubuntu) and start it, "+
		"or have DOCKER_HOST name the socket of one on this machine", inOneLine(err)), without}
}

// inOneLine shortens an error to its first line: the other lines repeat it for each place where
// libraries looked.
func inOneLine(err error) error {
	first, _, more := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	if !more {
		return err
	}
	return errors.New(strings.TrimSpace(first))
}

// elsewhere returns the error for an engine whose containers cannot use this machine's network.
func elsewhere(host string, info system.Info) error {
	why := "it is on another machine, or in a separate network"
	switch {
	case info.OperatingSystem == "Docker Desktop":
		why = "Docker Desktop runs containers in a virtual machine"
	case hasOption(info, "rootless"):
		why = "a rootless engine has a separate network"
	case info.OSType != "linux" && info.OSType != "":
		why = fmt.Sprintf("it runs containers of %s", info.OSType)
	}
	return &EngineError{fmt.Errorf("the Docker engine at %s does not share this machine's loopback address: %s; servers and "+
		"their store listen only there, so only the engine of this Linux machine will do", host, why), without}
}
