package train

import (
	"k8s.io/component-base/featuregate"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func gateStableMutants() mutants { return mutants{"forgotten": stableStillAsks} }

// stableStillAsks takes the gate away, and leaves the code that asks it: a gate
// that nobody knows is not on. "New field in existing API version": with a stable
// feature "the feature gate can be removed", and then all that asks it is.
func stableStillAsks(r *release.Release) {
	gateStable(r)
	unknown := func(featuregate.Feature) bool { return false }
	rule(r, release.Rule{Of: "angle", Validate: validateAngle,
		PrepareForCreate: func(_ release.Gates, created *api.Frobber) { createAngle(unknown, created) },
		PrepareForUpdate: func(_ release.Gates, updated, old *api.Frobber) { updateAngle(unknown, updated, old) }})
}
