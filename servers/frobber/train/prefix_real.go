package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// SpinField is to be written.
type SpinField struct{}

// SpinRest is what else an object has.
type SpinRest struct {
	PlainFields    `json:",inline"`
	ParamsField    `json:",inline"`
	TuesdayField   `json:",inline"`
	MemberField    `json:",inline"`
	MaterialField  `json:",inline"`
	MaterialsField `json:",inline"`
	ColourField    `json:",inline"`
	ShineField     `json:",inline"`
	AlphaSpinField `json:",inline"`
	SpinField      `json:",inline"`
}

// SpinV6 is still v6.
type SpinV6 struct {
	V6           `json:",inline"`
	PromotedSize `json:",inline"`
	ParamField   `json:",inline"`
	SpinRest     `json:",inline"`
}

// SpinV5 is still v5.
type SpinV5 struct {
	V5           `json:",inline"`
	PromotedSize `json:",inline"`
	ArgField     `json:",inline"`
	SpinRest     `json:",inline"`
}

// SpinV7beta1 is still v7beta1.
type SpinV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       SpinSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	SpinRest   `json:",inline"`
}

// SpinSizeMember is the size as v7beta1 has it.
type SpinSizeMember struct {
	PromotedSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (SpinSizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// prefixReal is 1.26: spin; alphaSpin beside it is visible and ignored.
func prefixReal(r *release.Release) {
	serve(r, release.Of[SpinV6, Status](v6))
	serve(r, release.Of[SpinV5, Status](v5))
	serve(r, release.Of[SpinV7beta1, Status](v7beta1))
}

func prefixRealTwins() twins { return nil }
