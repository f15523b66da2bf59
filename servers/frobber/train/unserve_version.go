package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// unserveVersion is 1.29: v5 is not served any more, unless --runtime-config asks
// for it. What lies stored in it can be read still.
func unserveVersion(r *release.Release) {
	v, _ := r.Version(v5)
	v.Disabled = true
}

func unserveVersionMutants() mutants { return mutants{"removed": unservedAndRemoved} }

// unservedAndRemoved takes v5 out of the code together with not serving it, though
// objects may lie stored in it since the day when it was what everyone used.
// "Backward compatibility gotchas" asks that no release "render resources in etcd
// undecodable".
func unservedAndRemoved(r *release.Release) {
	unserveVersion(r)
	remove(r, v5)
}
