package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// MaterialsField is to be written.
type MaterialsField struct{}

// ExpressiveRest is what else an object has.
type ExpressiveRest struct {
	PlainFields    `json:",inline"`
	ParamsField    `json:",inline"`
	TuesdayField   `json:",inline"`
	MemberField    `json:",inline"`
	MaterialField  `json:",inline"`
	MaterialsField `json:",inline"`
}

// ExpressiveV6 is still v6.
type ExpressiveV6 struct {
	V6             `json:",inline"`
	InchesSize     `json:",inline"`
	ParamField     `json:",inline"`
	ExpressiveRest `json:",inline"`
}

// ExpressiveV5 is still v5.
type ExpressiveV5 struct {
	V5             `json:",inline"`
	InchesSize     `json:",inline"`
	ArgField       `json:",inline"`
	ExpressiveRest `json:",inline"`
}

// ExpressiveV7beta1 is still v7beta1.
type ExpressiveV7beta1 struct {
	V7beta1        `json:",inline"`
	Size           ExpressiveSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField     `json:",inline"`
	ExpressiveRest `json:",inline"`
}

// ExpressiveSizeMember is the size as v7beta1 has it.
type ExpressiveSizeMember struct {
	InchesSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (ExpressiveSizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// expressive is 1.16: materials, which can express more than material.
func expressive(r *release.Release) {
	serve(r, release.Of[ExpressiveV6, Status](v6))
	serve(r, release.Of[ExpressiveV5, Status](v5))
	serve(r, release.Of[ExpressiveV7beta1, Status](v7beta1))
}

func expressiveTwins() twins { return nil }
