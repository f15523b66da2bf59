package run

import (
	"slices"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/term"
)

// collections are those of the plans' kinds, in all namespaces: what a server of the
// release is asked for when it does not get ready.
func (c *convoy) collections(role term.Role) (paths []string) {
	for _, w := range c.members {
		for _, m := range w.config.Plan.Manifests {
			if r, ok := w.resource(role, m.APIVersion, m.Kind); ok {
				paths = append(paths, client.Resource{APIVersion: r.APIVersion, Plural: r.Plural}.Collection())
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// lacks says what a server that counts as ready was not ready in; "": nothing.
func lacks(p servers.Process) string {
	if l, ok := p.(servers.Limping); ok {
		return l.Lacks()
	}
	return ""
}

// limps is lacks in the words of a step's outcome.
func limps(p servers.Process) string {
	if why := lacks(p); why != "" {
		return ", and not in all: " + why
	}
	return ""
}
