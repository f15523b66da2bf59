package container

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/moby/moby/api/types/system"

	"github.com/skewsim/skewsim/servers/fault"
)

// EngineError tells that there is no Docker engine that can run images here, or that it
// did not do what it was asked. It is nothing that another image would change.
type EngineError struct {
	Err error
	// WayOut is what to do without an engine; "": nothing more can be said.
	WayOut string
}

// Error says what is wrong, and what to do instead.
func (e *EngineError) Error() string {
	if e.WayOut == "" {
		return "container images: " + e.Err.Error()
	}
	return "container images: " + e.Err.Error() + "; " + e.WayOut
}

// Unwrap returns the error.
func (e *EngineError) Unwrap() error { return e.Err }

// Fault returns that the engine failed.
func (e *EngineError) Fault() fault.Fault {
	return fault.Fault{Kind: fault.Infrastructure, Failure: fault.EngineFailed}
}

// ForStore is the error with the way out of whoever needs the engine for a store alone.
func (e *EngineError) ForStore() *EngineError {
	return &EngineError{e.Err, "the store needs one for image: alone, so leave --store out for skewsim's own etcd, or name one that runs with --etcd"}
}

// RegistryError tells that the registry of an image could not be asked for it, or broke
// off. Another time it may not.
type RegistryError struct{ Err error }

// Error says what is wrong, and what to do instead.
func (e *RegistryError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *RegistryError) Unwrap() error { return e.Err }

// Fault returns that the registry failed.
func (e *RegistryError) Fault() fault.Fault {
	return fault.Fault{Kind: fault.Infrastructure, Failure: fault.RegistryDown}
}

// without is what can be done without an engine.
const without = "nothing but image: needs one, so play another build, such as kube-apiserver@v1.36 or path:FILE"

// unreachable tells why no engine answers.
func unreachable(err error) error {
	if errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), "permission denied") {
		return &EngineError{fmt.Errorf("this user may not use the Docker engine: %w; join the group docker "+
			"(sudo usermod -aG docker $USER, then log in again)", inOneLine(err)), without}
	}
	return &EngineError{fmt.Errorf("no Docker engine answers: %w; install one (docker.io on Debian and Ubuntu) and start it, "+
		"or have DOCKER_HOST name the socket of one on this machine", inOneLine(err)), without}
}

// inOneLine is an error with the first line of its text: what libraries say after that
// repeats it, one line for each place where they looked.
func inOneLine(err error) error {
	first, _, more := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	if !more {
		return err
	}
	return errors.New(strings.TrimSpace(first))
}

// elsewhere tells that the engine's containers cannot be on this machine's network.
func elsewhere(host string, info system.Info) error {
	why := "it is on another machine, or in a network of its own"
	switch {
	case info.OperatingSystem == "Docker Desktop":
		why = "Docker Desktop runs containers in a virtual machine"
	case hasOption(info, "rootless"):
		why = "a rootless engine has a network of its own"
	case info.OSType != "linux" && info.OSType != "":
		why = fmt.Sprintf("it runs containers of %s", info.OSType)
	}
	return &EngineError{fmt.Errorf("the Docker engine at %s does not share this machine's loopback address: %s; servers and "+
		"their store listen there alone, so only the engine of this Linux machine will do", host, why), without}
}
