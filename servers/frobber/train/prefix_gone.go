package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// SpinOnlyRest is what else an object has.
type SpinOnlyRest struct {
	PlainFields    `json:",inline"`
	ParamsField    `json:",inline"`
	TuesdayField   `json:",inline"`
	MemberField    `json:",inline"`
	MaterialField  `json:",inline"`
	MaterialsField `json:",inline"`
	ColourField    `json:",inline"`
	ShineField     `json:",inline"`
	SpinField      `json:",inline"`
}

// SpinOnlyV6 is still v6.
type SpinOnlyV6 struct {
	V6           `json:",inline"`
	PromotedSize `json:",inline"`
	ParamField   `json:",inline"`
	SpinOnlyRest `json:",inline"`
}

// SpinOnlyV5 is still v5.
type SpinOnlyV5 struct {
	V5           `json:",inline"`
	PromotedSize `json:",inline"`
	ArgField     `json:",inline"`
	SpinOnlyRest `json:",inline"`
}

// SpinOnlyV7beta1 is still v7beta1.
type SpinOnlyV7beta1 struct {
	V7beta1      `json:",inline"`
	Size         SpinOnlySizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField   `json:",inline"`
	SpinOnlyRest `json:",inline"`
}

// SpinOnlySizeMember is the size as v7beta1 has it.
type SpinOnlySizeMember struct {
	PromotedSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (SpinOnlySizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// prefixGone is 1.27: alphaSpin is gone: dropped on update, refused where strict.
func prefixGone(r *release.Release) {
	serve(r, release.Of[SpinOnlyV6, Status](v6))
	serve(r, release.Of[SpinOnlyV5, Status](v5))
	serve(r, release.Of[SpinOnlyV7beta1, Status](v7beta1))
}

func prefixGoneTwins() twins { return nil }
