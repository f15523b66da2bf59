package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// InchesFields is to be written.
type InchesFields struct{}

// InchesSize is how large an object is.
type InchesSize struct {
	HeightField  `json:",inline"`
	WidthField   `json:",inline"`
	AngleField   `json:",inline"`
	InchesFields `json:",inline"`
}

// InchesV6 is still v6.
type InchesV6 struct {
	V6         `json:",inline"`
	InchesSize `json:",inline"`
	ParamField `json:",inline"`
	PluralRest `json:",inline"`
}

// InchesV5 is still v5.
type InchesV5 struct {
	V5         `json:",inline"`
	InchesSize `json:",inline"`
	ArgField   `json:",inline"`
	PluralRest `json:",inline"`
}

// InchesV7beta1 is still v7beta1.
type InchesV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       InchesSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	PluralRest `json:",inline"`
}

// InchesSizeMember is the size as v7beta1 has it.
type InchesSizeMember struct {
	InchesSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (InchesSizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// rename is 1.7: heightInInches and widthInInches beside height and width.
func rename(r *release.Release) {
	serve(r, release.Of[InchesV6, Status](v6))
	serve(r, release.Of[InchesV5, Status](v5))
	serve(r, release.Of[InchesV7beta1, Status](v7beta1))
}

func renameTwins() twins { return nil }
