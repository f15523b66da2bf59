package run

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
)

// collections are those of all plans' kinds, in all namespaces: what a server of the
// release is asked for when it does not get ready.
func (c *convoy) collections(role term.Role) (paths []string) {
	for _, w := range c.members {
		paths = append(paths, w.owned(role)...)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// owned are the collections of the run's own kinds, in the order of their paths.
func (w *walker) owned(role term.Role) (paths []string) {
	for _, m := range w.config.Plan.Manifests {
		if r, ok := w.reached(role, m); ok {
			paths = append(paths, client.Resource{APIVersion: r.APIVersion, Plural: r.Plural}.Collection())
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// lacks says what of the collections a server that counts as ready does not read; "":
// nothing.
func lacks(p servers.Process, collections []string) string {
	if l, ok := p.(servers.Limping); ok {
		return l.Lacks(collections)
	}
	return ""
}

// limps is what a server does not read of any run's, in the words of a step's outcome.
func (c *convoy) limps(r *replica) string {
	if why := lacks(r.process, c.collections(r.role)); why != "" {
		return ", and not in all: " + why
	}
	return ""
}
