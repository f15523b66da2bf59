package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// storeVersion is 1.4: v7beta1 is stored, now that the release before can read
// it. All that was served is served still, and v6 stays preferred.
func storeVersion(r *release.Release) { r.Storage = v7beta1 }

func storeVersionTwins() twins {
	return twins{"unserved": versionUnserved}
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
