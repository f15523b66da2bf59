package train

import (
	"github.com/skewsim/skewsim/servers/frobber/object"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// GlowTombstone stands where GlowField stood.
type GlowTombstone struct{}

// Tombstone is what is left of the field.
func (GlowTombstone) Tombstone() object.Tombstone { return object.Tombstone{Name: "glow", Tag: 15} }

// GoneRest is what else an object has.
type GoneRest struct {
	PlainFields    `json:",inline"`
	ParamsField    `json:",inline"`
	TuesdayField   `json:",inline"`
	MemberField    `json:",inline"`
	MaterialField  `json:",inline"`
	MaterialsField `json:",inline"`
	ColourField    `json:",inline"`
	GlowTombstone  `json:",inline"`
}

// GoneV6 is still v6.
type GoneV6 struct {
	V6         `json:",inline"`
	StableSize `json:",inline"`
	ParamField `json:",inline"`
	GoneRest   `json:",inline"`
}

// GoneV5 is still v5.
type GoneV5 struct {
	V5         `json:",inline"`
	StableSize `json:",inline"`
	ArgField   `json:",inline"`
	GoneRest   `json:",inline"`
}

// GoneV7beta1 is still v7beta1.
type GoneV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       GoneSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	GoneRest   `json:",inline"`
}

// GoneSizeMember is the size as v7beta1 has it.
type GoneSizeMember struct {
	StableSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (GoneSizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// glowGone is 1.21: glow is abandoned. The field goes from the structs, and leaves
// a tombstone: bytes that 1.20 stored know it by its name or its tag. Its gate goes
// too, and so does Frobber2D, which has been locked for two releases.
func glowGone(r *release.Release) {
	delete(r.Gates, FrobberGlow)
	delete(r.Gates, Frobber2D)
	rule(r, release.Rule{Of: "glow"})
	serve(r, release.Of[GoneV6, Status](v6))
	serve(r, release.Of[GoneV5, Status](v5))
	serve(r, release.Of[GoneV7beta1, Status](v7beta1))
}

func glowGoneMutants() mutants { return nil }
