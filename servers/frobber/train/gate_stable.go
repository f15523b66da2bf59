package train

import (
	"k8s.io/component-base/featuregate"

	"github.com/skewsim/skewsim/servers/frobber/release"
)

// StableAngleField is the same field; no gate is spoken of any more.
type StableAngleField struct {
	Angle *int32 `json:"angle,omitempty" protobuf:"varint,6,opt,name=angle" doc:"angle is how far the object is turned, in degrees."`
}

// StableSize is how large an object is.
type StableSize struct {
	InchesFields     `json:",inline"`
	StableAngleField `json:",inline"`
}

// StableV6 is still v6.
type StableV6 struct {
	V6         `json:",inline"`
	StableSize `json:",inline"`
	ParamField `json:",inline"`
	ColourRest `json:",inline"`
}

// StableV5 is still v5.
type StableV5 struct {
	V5         `json:",inline"`
	StableSize `json:",inline"`
	ArgField   `json:",inline"`
	ColourRest `json:",inline"`
}

// StableV7beta1 is still v7beta1.
type StableV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       StableSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	ColourRest `json:",inline"`
}

// StableSizeMember is the size as v7beta1 has it.
type StableSizeMember struct {
	StableSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (StableSizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// gateStable is 1.19: Frobber2D is stable. The gate is known still, so that
// servers start with the flags of their operators, and locked; nobody asks it.
func gateStable(r *release.Release) {
	gate(r, Frobber2D, featuregate.FeatureSpec{Default: true, PreRelease: featuregate.GA, LockToDefault: true})
	rule(r, release.Rule{Of: "angle", Validate: validateAngle})
	serve(r, release.Of[StableV6, Status](v6))
	serve(r, release.Of[StableV5, Status](v5))
	serve(r, release.Of[StableV7beta1, Status](v7beta1))
}
