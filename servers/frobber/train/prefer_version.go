package train

import (
	"slices"

	"github.com/skewsim/skewsim/servers/frobber/release"
)

// preferVersion is 1.5: v7beta1 is preferred in discovery, two releases after it
// was introduced, so that whoever looks there finds a version which the release
// before serves as well.
func preferVersion(r *release.Release) { prefer(r, v7beta1) }

func preferVersionTwins() twins { return nil }

// prefer makes a version the first that discovery names.
func prefer(r *release.Release, version string) {
	i := slices.IndexFunc(r.Versions, func(v release.Version) bool { return v.Name == version })
	preferred := r.Versions[i]
	r.Versions = slices.Insert(slices.Delete(r.Versions, i, i+1), 0, preferred)
}
