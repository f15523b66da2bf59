package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// policyRetired is 1.11: a value of restartPolicy is deprecated and tolerated.
func policyRetired(_ *release.Release) {
}

func policyRetiredTwins() twins { return nil }
