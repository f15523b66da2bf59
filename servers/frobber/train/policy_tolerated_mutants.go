package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func policyToleratedMutants() mutants {
	return mutants{"at-once": tuesdayAtOnce, "chokes": tuesdayChokes}
}

// tuesdayAtOnce allows the new value in the release that introduces it. "New enum
// value in existing field": "This requires at least two releases to accomplish
// safely", or data is persisted "which the previous release of the API server
// would choke on".
func tuesdayAtOnce(r *release.Release) {
	policyTolerated(r)
	rule(r, release.Rule{Of: restartPolicy, Validate: func(_ release.Gates, f *api.Frobber) field.ErrorList {
		return validateTuesday(f, true)
	}})
}

// tuesdayChokes asks the gate alone, also of updates of objects that have the
// value. "New enum value in existing field": "if the old object already used the
// enum value, continue to allow it in the new object".
func tuesdayChokes(r *release.Release) {
	policyTolerated(r)
	rule(r, choking())
}

func choking() release.Rule {
	return release.Rule{Of: restartPolicy, Validate: func(on release.Gates, f *api.Frobber) field.ErrorList {
		return validateTuesday(f, on(FrobberRestartPolicyOnTuesday))
	}}
}
