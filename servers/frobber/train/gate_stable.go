package train

import (
	"k8s.io/component-base/featuregate"

	"github.com/skewsim/skewsim/servers/frobber/release"
)

// StableAngleField is the same field; no gate is spoken of any more.
type StableAngleField struct {
	Angle *int32 `json:"angle,omitempty" protobuf:"varint,6,opt,name=angle" doc:"angle is how far the object is turned, in degrees."`
}

// The specs of 1.19.
type (
	StableV6 struct {
		V6               `json:",inline"`
		InchesFields     `json:",inline"`
		StableAngleField `json:",inline"`
		ParamField       `json:",inline"`
		PlainFields      `json:",inline"`
		ParamsField      `json:",inline"`
		TuesdayField     `json:",inline"`
		MemberField      `json:",inline"`
		MaterialField    `json:",inline"`
		MaterialsField   `json:",inline"`
		ColourField      `json:",inline"`
	}
	StableV5 struct {
		V5               `json:",inline"`
		InchesFields     `json:",inline"`
		StableAngleField `json:",inline"`
		ArgField         `json:",inline"`
		PlainFields      `json:",inline"`
		ParamsField      `json:",inline"`
		TuesdayField     `json:",inline"`
		MemberField      `json:",inline"`
		MaterialField    `json:",inline"`
		MaterialsField   `json:",inline"`
		ColourField      `json:",inline"`
	}
	StableV7beta1 struct {
		V7beta1        `json:",inline"`
		Size           StableSize `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
		ParamField     `json:",inline"`
		PlainFields    `json:",inline"`
		ParamsField    `json:",inline"`
		TuesdayField   `json:",inline"`
		MemberField    `json:",inline"`
		MaterialField  `json:",inline"`
		MaterialsField `json:",inline"`
		ColourField    `json:",inline"`
	}
)

// StableSize is the size in v7beta1.
type StableSize struct {
	InchesFields     `json:",inline"`
	StableAngleField `json:",inline"`
}

// OpenAPIModelName returns the struct's name in published schemas.
func (StableSize) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// gateStable is 1.19: Frobber2D is stable. The gate is known still, so that
// servers start with the flags of their operators, and locked; nobody asks it.
func gateStable(r *release.Release) {
	gate(r, Frobber2D, featuregate.FeatureSpec{Default: true, PreRelease: featuregate.GA, LockToDefault: true})
	rule(r, release.Rule{Of: "angle", Validate: validateAngle})
	serveAll[StableV6, StableV5, StableV7beta1](r)
}
