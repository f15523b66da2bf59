package train

import (
	"k8s.io/component-base/featuregate"

	"github.com/skewsim/skewsim/servers/frobber/release"
)

// BetaAngleField is the same field; its description contains its stage.
type BetaAngleField struct {
	Angle *int32 `json:"angle,omitempty" protobuf:"varint,6,opt,name=angle" doc:"angle is how far the object is turned, in degrees." lifecycle:"beta,1.18,Frobber2D"`
}

// BetaSize contains the size of an object.
type BetaSize struct {
	InchesFields   `json:",inline"`
	BetaAngleField `json:",inline"`
}

// BetaV6 is the spec of v6.
type BetaV6 struct {
	V6         `json:",inline"`
	BetaSize   `json:",inline"`
	ParamField `json:",inline"`
	ColourRest `json:",inline"`
}

// BetaV5 is the spec of v5.
type BetaV5 struct {
	V5         `json:",inline"`
	BetaSize   `json:",inline"`
	ArgField   `json:",inline"`
	ColourRest `json:",inline"`
}

// BetaV7beta1 is the spec of v7beta1.
type BetaV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       BetaSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	ColourRest `json:",inline"`
}

// BetaSizeMember is the size in v7beta1.
type BetaSizeMember struct {
	BetaSize `json:",inline"`
}

// OpenAPIModelName returns the struct's name in published schemas.
func (BetaSizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// gateBeta is 1.18: Frobber2D is beta, on by default. The rules of 1.2 for the disabled gate
// stay: there are servers of the release before, and operators who disable a beta.
func gateBeta(r *release.Release) {
	gate(r, Frobber2D, featuregate.FeatureSpec{Default: true, PreRelease: featuregate.Beta})
	serve(r, release.Of[BetaV6, Status](v6))
	serve(r, release.Of[BetaV5, Status](v5))
	serve(r, release.Of[BetaV7beta1, Status](v7beta1))
}
