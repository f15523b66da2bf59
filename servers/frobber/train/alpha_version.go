package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// alphaVersion is 1.28: v7alpha1, off by default.
func alphaVersion(_ *release.Release) {
}

func alphaVersionTwins() twins { return nil }
