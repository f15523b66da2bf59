package train

import (
	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func policyAllowedMutants() mutants {
	return mutants{"chokes": tuesdayAllowedChokes, "resets": tuesdayReset}
}

// tuesdayAllowedChokes forgets, now that the gate is on by default, whoever
// switches it off: what they have stored meanwhile can no longer be written. "New
// enum value in existing field" has existing data preserved whatever the gate says.
func tuesdayAllowedChokes(r *release.Release) {
	policyAllowed(r)
	rule(r, choking())
}

// tuesdayReset treats a value as one treats a field: where the gate is off, it is
// replaced by the default on update, though it is stored. "New enum value in
// existing field": "Ensuring existing data is preserved is needed".
func tuesdayReset(r *release.Release) {
	policyAllowed(r)
	resets := tuesdayRule()
	resets.PrepareForUpdate = func(on release.Gates, updated, _ *api.Frobber) {
		if !on(FrobberRestartPolicyOnTuesday) && updated.Spec.RestartPolicy == OnlyOnTuesday {
			updated.Spec.RestartPolicy = Always
		}
	}
	rule(r, resets)
}
