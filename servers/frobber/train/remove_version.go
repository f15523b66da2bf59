package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// removeVersion is 1.30: the code knows no v5 any more. Whatever lay stored in it
// has been written anew by then, or it is lost to the servers.
func removeVersion(r *release.Release) { remove(r, v5) }

func removeVersionMutants() mutants { return mutants{"another": anotherRemoved} }

// anotherRemoved clears v6 away with it, which clients use and in which objects lie
// stored. "Incompatible API changes": "Breaking compatibility of a beta or stable
// API version [...] is unacceptable".
func anotherRemoved(r *release.Release) {
	removeVersion(r)
	remove(r, v6)
}
