package fleet

import "github.com/skewsim/skewsim/servers"

// Lacks says which of the collections a server that counts as ready does not read, "" for
// none.
func Lacks(p servers.Process, collections []string) string {
	if l, ok := p.(servers.Limping); ok {
		return l.Lacks(collections)
	}
	return ""
}

// degraded says what a server does not read of any run's kinds, in the words of a step's
// outcome.
func (f *Fleet) degraded(r *Replica) string {
	if why := Lacks(r.Process, f.Runs.Collections(r.Role)); why != "" {
		return ", and not in all: " + why
	}
	return ""
}
