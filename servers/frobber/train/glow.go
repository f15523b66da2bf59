package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-base/featuregate"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// FrobberGlow is the gate of a feature that will be abandoned.
const FrobberGlow featuregate.Feature = "FrobberGlow"

// GlowField is an alpha field.
type GlowField struct {
	Glow *int32 `json:"glow,omitempty" protobuf:"varint,15,opt,name=glow" doc:"glow is how bright the object is, in candelas." lifecycle:"alpha,1.20,FrobberGlow"`
}

// The specs of 1.20.
type (
	GlowV6 struct {
		StableV6  `json:",inline"`
		GlowField `json:",inline"`
	}
	GlowV5 struct {
		StableV5  `json:",inline"`
		GlowField `json:",inline"`
	}
	GlowV7beta1 struct {
		StableV7beta1 `json:",inline"`
		GlowField     `json:",inline"`
	}
)

// glow is 1.20: another alpha field, as angle was one in 1.2.
func glow(r *release.Release) {
	serveAll[GlowV6, GlowV5, GlowV7beta1](r)
	gate(r, FrobberGlow, featuregate.FeatureSpec{Default: false, PreRelease: featuregate.Alpha})
	rule(r, release.Rule{Of: "glow", PrepareForCreate: createGlow, PrepareForUpdate: updateGlow, Validate: validateGlow})
}

func createGlow(on release.Gates, created *api.Frobber) {
	if !on(FrobberGlow) {
		created.Spec.Glow = nil
	}
}

func updateGlow(on release.Gates, updated, old *api.Frobber) {
	if !on(FrobberGlow) && old.Spec.Glow == nil {
		updated.Spec.Glow = nil
	}
}

// validateGlow asks no gate: what is there must be right.
func validateGlow(_ release.Gates, f *api.Frobber) field.ErrorList {
	return notNegative(f.Spec.Glow, "glow")
}

func notNegative(value *int32, name string) field.ErrorList {
	if value == nil || *value >= 0 {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("spec", name), *value, "must not be negative")}
}
