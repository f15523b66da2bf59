package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// ColourField is to be written.
type ColourField struct{}

// ColourRest is what else an object has.
type ColourRest struct {
	PlainFields    `json:",inline"`
	ParamsField    `json:",inline"`
	TuesdayField   `json:",inline"`
	MemberField    `json:",inline"`
	MaterialField  `json:",inline"`
	MaterialsField `json:",inline"`
	ColourField    `json:",inline"`
}

// ColourV6 is still v6.
type ColourV6 struct {
	V6         `json:",inline"`
	InchesSize `json:",inline"`
	ParamField `json:",inline"`
	ColourRest `json:",inline"`
}

// ColourV5 is still v5.
type ColourV5 struct {
	V5         `json:",inline"`
	InchesSize `json:",inline"`
	ArgField   `json:",inline"`
	ColourRest `json:",inline"`
}

// ColourV7beta1 is still v7beta1.
type ColourV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       ColourSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	ColourRest `json:",inline"`
}

// ColourSizeMember is the size as v7beta1 has it.
type ColourSizeMember struct {
	InchesSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (ColourSizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// colour is 1.17: colour, with a default in every version.
func colour(r *release.Release) {
	serve(r, release.Of[ColourV6, Status](v6))
	serve(r, release.Of[ColourV5, Status](v5))
	serve(r, release.Of[ColourV7beta1, Status](v7beta1))
}

func colourTwins() twins { return nil }
