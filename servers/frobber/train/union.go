package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// PowerField is to be written.
type PowerField struct{}

// UnionRest is what else an object has.
type UnionRest struct {
	PlainFields  `json:",inline"`
	ParamsField  `json:",inline"`
	TuesdayField `json:",inline"`
	PowerField   `json:",inline"`
}

// UnionV6 is still v6.
type UnionV6 struct {
	V6         `json:",inline"`
	InchesSize `json:",inline"`
	ParamField `json:",inline"`
	UnionRest  `json:",inline"`
}

// UnionV5 is still v5.
type UnionV5 struct {
	V5         `json:",inline"`
	InchesSize `json:",inline"`
	ArgField   `json:",inline"`
	UnionRest  `json:",inline"`
}

// UnionV7beta1 is still v7beta1.
type UnionV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       UnionSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	UnionRest  `json:",inline"`
}

// UnionSizeMember is the size as v7beta1 has it.
type UnionSizeMember struct {
	InchesSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (UnionSizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// union is 1.13: power, a union.
func union(r *release.Release) {
	serve(r, release.Of[UnionV6, Status](v6))
	serve(r, release.Of[UnionV5, Status](v5))
	serve(r, release.Of[UnionV7beta1, Status](v7beta1))
}

func unionTwins() twins { return nil }
