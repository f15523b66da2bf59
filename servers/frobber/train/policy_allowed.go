package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// policyAllowed is 1.10: OnlyOnTuesday is allowed; the gate is on by default.
func policyAllowed(_ *release.Release) {
}

func policyAllowedTwins() twins { return nil }
