package fleet

import "github.com/skewsim/skewsim/servers"

// Lacks returns which collection a server that counts as ready cannot read, "" if it reads
// all.
func Lacks(p servers.Process, collections []string) string {
	if l, ok := p.(servers.Degraded); ok {
		return l.Lacks(collections)
	}
	return ""
}

// degraded returns, for a step's outcome, what a server cannot read of any run's kinds.
func (f *Fleet) degraded(r *Replica) string {
	if why := Lacks(r.Process, f.Runs.Collections(r.Role)); why != "" {
		return ", and not in all: " + why
	}
	return ""
}
