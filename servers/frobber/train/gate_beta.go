package train

import (
	"k8s.io/component-base/featuregate"

	"github.com/skewsim/skewsim/servers/frobber/release"
)

// BetaAngleField is the same field; its description contains its stage.
type BetaAngleField struct {
	Angle *int32 `json:"angle,omitempty" protobuf:"varint,6,opt,name=angle" doc:"angle is how far the object is turned, in degrees." lifecycle:"beta,1.18,Frobber2D"`
}

// The specs of 1.18.
type (
	BetaV6 struct {
		V6             `json:",inline"`
		InchesFields   `json:",inline"`
		BetaAngleField `json:",inline"`
		ParamField     `json:",inline"`
		ColourRest     `json:",inline"`
	}
	BetaV5 struct {
		V5             `json:",inline"`
		InchesFields   `json:",inline"`
		BetaAngleField `json:",inline"`
		ArgField       `json:",inline"`
		ColourRest     `json:",inline"`
	}
	BetaV7beta1 struct {
		V7beta1    `json:",inline"`
		Size       BetaSize `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
		ParamField `json:",inline"`
		ColourRest `json:",inline"`
	}
)

// BetaSize is the size in v7beta1.
type BetaSize struct {
	InchesFields   `json:",inline"`
	BetaAngleField `json:",inline"`
}

// OpenAPIModelName returns the struct's name in published schemas.
func (BetaSize) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// gateBeta is 1.18: Frobber2D is beta, on by default. The rules of 1.2 for the disabled gate
// stay: there are servers of the release before, and operators who disable a beta.
func gateBeta(r *release.Release) {
	gate(r, Frobber2D, featuregate.FeatureSpec{Default: true, PreRelease: featuregate.Beta})
	serveAll[BetaV6, BetaV5, BetaV7beta1](r)
}
