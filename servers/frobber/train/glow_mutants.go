package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-base/featuregate"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func glowMutants() mutants {
	return mutants{"create": glowOnCreate, "early": glowGateReadEarly, "unmarked": glowUnmarked, "unvalidated": glowUnvalidated}
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

// UnmarkedGlowField is the field, and nothing says of it that it is alpha.
type UnmarkedGlowField struct {
	Glow *int32 `json:"glow,omitempty" protobuf:"varint,15,opt,name=glow" doc:"glow is how bright the object is, in candelas."`
}

// The specs of 1.20+unmarked.
type (
	UnmarkedV6 struct {
		StableV6          `json:",inline"`
		UnmarkedGlowField `json:",inline"`
	}
	UnmarkedV5 struct {
		StableV5          `json:",inline"`
		UnmarkedGlowField `json:",inline"`
	}
	UnmarkedV7beta1 struct {
		StableV7beta1     `json:",inline"`
		UnmarkedGlowField `json:",inline"`
	}
)

// glowUnmarked publishes the field as if it were stable: whoever reads what the
// server publishes cannot know that it may go again. KEP-2558: tags "will be added to
// all fields that are not GA".
func glowUnmarked(r *release.Release) {
	glow(r)
	serveAll[UnmarkedV6, UnmarkedV5, UnmarkedV7beta1](r)
}
