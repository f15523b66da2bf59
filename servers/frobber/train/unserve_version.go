package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// deprecateV5 has 1.28 say that v5 goes: the deprecation policy asks for a warning
// to whoever still uses a version, releases before it is taken from them.
func deprecateV5(r *release.Release) {
	v, _ := r.Version(v5)
	v.Deprecated = &release.Deprecation{Since: "1.28", Gone: "1.30", Use: v7beta1}
}

// unserveVersion is 1.29: v5 is not served any more, unless --runtime-config asks
// for it. What lies stored in it can be read still.
func unserveVersion(r *release.Release) {
	v, _ := r.Version(v5)
	v.Disabled = true
}

func unserveVersionTwins() twins { return twins{"removed": unservedAndRemoved} }

// unservedAndRemoved takes v5 out of the code together with not serving it, though
// objects may lie stored in it since the day when it was what everyone used.
// "Backward compatibility gotchas" asks that no release "render resources in etcd
// undecodable".
func unservedAndRemoved(r *release.Release) {
	unserveVersion(r)
	remove(r, v5)
}
