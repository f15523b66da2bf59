package fleet

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/history"
)

// installed returns the outcome of the manifests that a server was given.
func installed(p servers.Process) (all []history.Installed) {
	if i, ok := p.(servers.Installer); ok {
		for _, one := range i.Installed() {
			all = append(all, history.Installed(one))
		}
	}
	return all
}

// HasOthers reports whether a definition that the replica was given was refused, so that it goes on with an earlier one.
func (r *Replica) HasOthers() bool {
	return slices.ContainsFunc(installed(r.Process), func(one history.Installed) bool { return one.Message != "" })
}

// refusals describes the manifests that a server refused.
func refusals(p servers.Process) (text string) {
	for _, one := range installed(p) {
		if one.Message != "" {
			text += fmt.Sprintf("; the manifest of %s was refused, and the earlier one stays: %d: %s", one.Name, one.Code, one.Message)
		}
	}
	return text
}
