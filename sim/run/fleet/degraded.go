package fleet

import "github.com/skewsim/skewsim/servers"

// degraded returns, for a step's outcome, what a server cannot read of any run's kinds.
func (f *Fleet) degraded(r *Replica) string {
	lack := servers.LackOf(r.Process, f.Runs.Collections(r.Role))
	switch {
	case lack.Settles:
		return ", and not in all for a minute: " + lack.String()
	case lack.Any():
		return ", and not in all: " + lack.String()
	}
	return ""
}
