package container

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/moby/moby/api/types/system"
)

// EngineError tells that there is no Docker engine that can run images here, or that it
// did not do what it was asked. It is nothing that another image would change.
type EngineError struct{ Err error }

// Error says what is wrong, and what to do instead.
func (e *EngineError) Error() string { return "container images: " + e.Err.Error() }

// Unwrap returns the error.
func (e *EngineError) Unwrap() error { return e.Err }

// without is what can be done without an engine.
const without = "nothing but image: needs one, so play another build, such as kube-apiserver@v1.36 or path:FILE"

// unreachable tells why no engine answers.
func unreachable(err error) error {
	if errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), "permission denied") {
		return &EngineError{fmt.Errorf("this user may not use the Docker engine: %w; join the group docker "+
			"(sudo usermod -aG docker $USER, then log in again); %s", err, without)}
	}
	return &EngineError{fmt.Errorf("no Docker engine answers: %w; install one (docker.io on Debian and Ubuntu) and start it, "+
		"or have DOCKER_HOST name the socket of one on this machine; %s", err, without)}
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
		"their store listen there alone, so only the engine of this Linux machine will do; %s", host, why, without)}
}
