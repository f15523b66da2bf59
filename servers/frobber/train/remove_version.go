package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// removeVersion is 1.30: v5 is gone, once nothing is stored in it.
func removeVersion(_ *release.Release) {
}

func removeVersionTwins() twins { return nil }
