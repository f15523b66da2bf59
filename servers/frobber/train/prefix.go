package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// AlphaSpinField is to be written.
type AlphaSpinField struct{}

// PrefixRest is what else an object has.
type PrefixRest struct {
	PlainFields    `json:",inline"`
	ParamsField    `json:",inline"`
	TuesdayField   `json:",inline"`
	MemberField    `json:",inline"`
	MaterialField  `json:",inline"`
	MaterialsField `json:",inline"`
	ColourField    `json:",inline"`
	ShineField     `json:",inline"`
	AlphaSpinField `json:",inline"`
}

// PrefixV6 is still v6.
type PrefixV6 struct {
	V6           `json:",inline"`
	PromotedSize `json:",inline"`
	ParamField   `json:",inline"`
	PrefixRest   `json:",inline"`
}

// PrefixV5 is still v5.
type PrefixV5 struct {
	V5           `json:",inline"`
	PromotedSize `json:",inline"`
	ArgField     `json:",inline"`
	PrefixRest   `json:",inline"`
}

// PrefixV7beta1 is still v7beta1.
type PrefixV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       PrefixSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	PrefixRest `json:",inline"`
}

// PrefixSizeMember is the size as v7beta1 has it.
type PrefixSizeMember struct {
	PromotedSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (PrefixSizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// prefix is 1.25: alphaSpin, an alpha field by its name (behind no gate).
func prefix(r *release.Release) {
	serve(r, release.Of[PrefixV6, Status](v6))
	serve(r, release.Of[PrefixV5, Status](v5))
	serve(r, release.Of[PrefixV7beta1, Status](v7beta1))
}

func prefixTwins() twins { return nil }
