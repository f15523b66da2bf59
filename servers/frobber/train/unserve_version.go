package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// unserveVersion is 1.29: v5 is not served by default any more.
func unserveVersion(_ *release.Release) {
}

func unserveVersionTwins() twins { return nil }
