package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// preferVersion is 1.5: v7beta1 is preferred in discovery, two releases after it
// was introduced, so that whoever looks there finds a version which the release
// before serves as well.
func preferVersion(r *release.Release) { prefer(r, v7beta1) }

func preferVersionMutants() mutants { return nil }
