package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// StableAngleField is to be written.
type StableAngleField struct{}

// StableSize is how large an object is.
type StableSize struct {
	HeightField      `json:",inline"`
	WidthField       `json:",inline"`
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

// gateStable is 1.19: Frobber2D is stable and locked.
func gateStable(r *release.Release) {
	serve(r, release.Of[StableV6, Status](v6))
	serve(r, release.Of[StableV5, Status](v5))
	serve(r, release.Of[StableV7beta1, Status](v7beta1))
}

func gateStableTwins() twins { return nil }
