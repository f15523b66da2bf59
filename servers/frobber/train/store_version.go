package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// storeVersion is 1.4: v7beta1 is stored, now that the release before can read
// it. All that was served is served still, and v6 stays preferred.
func storeVersion(r *release.Release) { r.Storage = v7beta1 }

func storeVersionMutants() mutants {
	return mutants{"removed": versionRemoved, "unserved": versionUnserved, "untold": versionUntold}
}

// versionUnserved ends to serve v6 together with storing it: clients of v6 find
// nothing where their objects were. "Incompatible API changes": "Breaking
// compatibility of a beta or stable API version [...] is unacceptable"; versions
// are removed by the deprecation policy, releases after they were deprecated.
func versionUnserved(r *release.Release) {
	storeVersion(r)
	before, _ := r.Version(v6)
	before.Disabled = true
}

// versionRemoved takes v6 out of the code in the release that ends to store it.
// What earlier releases have stored, and nobody has written since, it cannot read.
// "Backward compatibility gotchas" asks that no resource in etcd be "undecodable".
func versionRemoved(r *release.Release) {
	storeVersion(r)
	remove(r, v6)
}

// versionUntold stores v7beta1, and says in discovery that it stores v6 still:
// the hash there is what migrators of stored objects go by. "Testing": "You must add
// the new storage version hash".
func versionUntold(r *release.Release) {
	storeVersion(r)
	r.ToldStorage = v6
}
