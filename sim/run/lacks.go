package run

import "github.com/skewsim/skewsim/servers"

// lacks says which of the collections a server that counts as ready does not read, "" for
// none.
func lacks(p servers.Process, collections []string) string {
	if l, ok := p.(servers.Limping); ok {
		return l.Lacks(collections)
	}
	return ""
}

// degraded says what a server does not read of any run's kinds, in the words of a step's
// outcome.
func (f *fleet) degraded(r *replica) string {
	if why := lacks(r.process, f.runs.Collections(r.role)); why != "" {
		return ", and not in all: " + why
	}
	return ""
}
