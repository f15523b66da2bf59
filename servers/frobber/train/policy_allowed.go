package train

import (
	"k8s.io/component-base/featuregate"

	"github.com/skewsim/skewsim/servers/frobber/release"
)

// policyAllowed is 1.10, release 2 of two: the gate is on by default, and
// OnlyOnTuesday allowed. 1.9, which may have to work on what is stored now,
// tolerates it.
func policyAllowed(r *release.Release) {
	gate(r, FrobberRestartPolicyOnTuesday, featuregate.FeatureSpec{Default: true, PreRelease: featuregate.Beta})
}
