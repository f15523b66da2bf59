package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-base/featuregate"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func glowTwins() twins {
	return twins{"create": glowOnCreate, "early": glowGateReadEarly, "unvalidated": glowUnvalidated}
}

// glowOnCreate forgets PrepareForCreate: who creates an object uses the feature
// wherever the gate is off. "New field in existing API version": "clear disabled
// alpha fields on create".
func glowOnCreate(r *release.Release) {
	glow(r)
	rule(r, release.Rule{Of: "glow", PrepareForUpdate: updateGlow, Validate: validateGlow})
}

// glowGateReadEarly keeps what the gate says before flags are parsed, as a variable
// of a package does: nobody can switch the feature on.
func glowGateReadEarly(r *release.Release) {
	glow(r)
	enabled := r.Gates[FrobberGlow].Default
	early := func(featuregate.Feature) bool { return enabled }
	rule(r, release.Rule{Of: "glow", Validate: validateGlow,
		PrepareForCreate: func(_ release.Gates, created *api.Frobber) { createGlow(early, created) },
		PrepareForUpdate: func(_ release.Gates, updated, old *api.Frobber) { updateGlow(early, updated, old) }})
}

// glowUnvalidated validates the field where the feature is on, and lets pass what a
// server whose gate is on will choke on. "New field in existing API version": "In
// validation, validate the field if present".
func glowUnvalidated(r *release.Release) {
	glow(r)
	rule(r, release.Rule{Of: "glow", PrepareForCreate: createGlow, PrepareForUpdate: updateGlow,
		Validate: func(on release.Gates, f *api.Frobber) field.ErrorList {
			if !on(FrobberGlow) {
				return nil
			}
			return validateGlow(on, f)
		}})
}
