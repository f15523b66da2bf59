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

// GlowRest is what else an object has.
type GlowRest struct {
	PlainFields    `json:",inline"`
	ParamsField    `json:",inline"`
	TuesdayField   `json:",inline"`
	MemberField    `json:",inline"`
	MaterialField  `json:",inline"`
	MaterialsField `json:",inline"`
	ColourField    `json:",inline"`
	GlowField      `json:",inline"`
}

// GlowV6 is still v6.
type GlowV6 struct {
	V6         `json:",inline"`
	StableSize `json:",inline"`
	ParamField `json:",inline"`
	GlowRest   `json:",inline"`
}

// GlowV5 is still v5.
type GlowV5 struct {
	V5         `json:",inline"`
	StableSize `json:",inline"`
	ArgField   `json:",inline"`
	GlowRest   `json:",inline"`
}

// GlowV7beta1 is still v7beta1.
type GlowV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       GlowSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	GlowRest   `json:",inline"`
}

// GlowSizeMember is the size as v7beta1 has it.
type GlowSizeMember struct {
	StableSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (GlowSizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// glow is 1.20: another alpha field, as angle was one in 1.2.
func glow(r *release.Release) {
	serve(r, release.Of[GlowV6, Status](v6))
	serve(r, release.Of[GlowV5, Status](v5))
	serve(r, release.Of[GlowV7beta1, Status](v7beta1))
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
