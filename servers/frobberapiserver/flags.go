package frobberapiserver

import (
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
)

// Component is the reference server as a runtime starts it.
func Component() apiserver.Component {
	return apiserver.Component{Name: component, Flags: flags, Chooses: chooses, Refused: refused,
		Behaviour: apiserver.And(apiserver.Behaviour(), map[string]string{"storage-version": ""})}
}

// flags are those that the server needs besides the flags of all servers.
func flags(b servers.Build, _ *apiserver.Identity) []string { return chooses(b) }

// chooses are those that make the binary, which is one for all, a release.
func chooses(b servers.Build) []string { return []string{"--release=" + Release(b.Version)} }

// refused says why a flag may not be among a release's options; "" if it may.
func refused(name string) string {
	switch name {
	case "release":
		return "the build says it: name another, such as frobber@1.1"
	case "version", "help":
		return "the server would print it and end"
	}
	return ""
}
