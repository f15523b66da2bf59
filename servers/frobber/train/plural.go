package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// ParamsField is to be written.
type ParamsField struct{}

// PluralRest is what else an object has.
type PluralRest struct {
	PlainFields `json:",inline"`
	ParamsField `json:",inline"`
}

// PluralV6 is still v6.
type PluralV6 struct {
	V6         `json:",inline"`
	AngleSize  `json:",inline"`
	ParamField `json:",inline"`
	PluralRest `json:",inline"`
}

// PluralV5 is still v5.
type PluralV5 struct {
	V5         `json:",inline"`
	AngleSize  `json:",inline"`
	ArgField   `json:",inline"`
	PluralRest `json:",inline"`
}

// PluralV7beta1 is still v7beta1.
type PluralV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       PluralSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	PluralRest `json:",inline"`
}

// PluralSizeMember is the size as v7beta1 has it.
type PluralSizeMember struct {
	AngleSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (PluralSizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// plural is 1.6: params beside param.
func plural(r *release.Release) {
	serve(r, release.Of[PluralV6, Status](v6))
	serve(r, release.Of[PluralV5, Status](v5))
	serve(r, release.Of[PluralV7beta1, Status](v7beta1))
}

func pluralTwins() twins { return nil }
