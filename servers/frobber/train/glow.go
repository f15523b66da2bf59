package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// GlowField is to be written.
type GlowField struct{}

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

// glow is 1.20: glow, an alpha field behind the gate FrobberGlow.
func glow(r *release.Release) {
	serve(r, release.Of[GlowV6, Status](v6))
	serve(r, release.Of[GlowV5, Status](v5))
	serve(r, release.Of[GlowV7beta1, Status](v7beta1))
}

func glowTwins() twins { return nil }
