package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// DepthField is to be written.
type DepthField struct{}

// PromotedSize is how large an object is.
type PromotedSize struct {
	HeightField      `json:",inline"`
	WidthField       `json:",inline"`
	InchesFields     `json:",inline"`
	StableAngleField `json:",inline"`
	DepthField       `json:",inline"`
}

// PromotedV6 is still v6.
type PromotedV6 struct {
	V6           `json:",inline"`
	PromotedSize `json:",inline"`
	ParamField   `json:",inline"`
	ShineRest    `json:",inline"`
}

// PromotedV5 is still v5.
type PromotedV5 struct {
	V5           `json:",inline"`
	PromotedSize `json:",inline"`
	ArgField     `json:",inline"`
	ShineRest    `json:",inline"`
}

// PromotedV7beta1 is still v7beta1.
type PromotedV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       PromotedSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	ShineRest  `json:",inline"`
}

// PromotedSizeMember is the size as v7beta1 has it.
type PromotedSizeMember struct {
	PromotedSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (PromotedSizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// promoted is 1.24: depth, the field that the annotation has become.
func promoted(r *release.Release) {
	serve(r, release.Of[PromotedV6, Status](v6))
	serve(r, release.Of[PromotedV5, Status](v5))
	serve(r, release.Of[PromotedV7beta1, Status](v7beta1))
}

func promotedTwins() twins { return nil }
