package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// TuesdayField is to be written.
type TuesdayField struct{}

// TuesdayRest is what else an object has.
type TuesdayRest struct {
	PlainFields  `json:",inline"`
	ParamsField  `json:",inline"`
	TuesdayField `json:",inline"`
}

// TuesdayV6 is still v6.
type TuesdayV6 struct {
	V6          `json:",inline"`
	InchesSize  `json:",inline"`
	ParamField  `json:",inline"`
	TuesdayRest `json:",inline"`
}

// TuesdayV5 is still v5.
type TuesdayV5 struct {
	V5          `json:",inline"`
	InchesSize  `json:",inline"`
	ArgField    `json:",inline"`
	TuesdayRest `json:",inline"`
}

// TuesdayV7beta1 is still v7beta1.
type TuesdayV7beta1 struct {
	V7beta1     `json:",inline"`
	Size        TuesdaySizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField  `json:",inline"`
	TuesdayRest `json:",inline"`
}

// TuesdaySizeMember is the size as v7beta1 has it.
type TuesdaySizeMember struct {
	InchesSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (TuesdaySizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// policyTolerated is 1.9: OnlyOnTuesday is tolerated where it is stored; gate FrobberRestartPolicyOnTuesday alpha, off.
func policyTolerated(r *release.Release) {
	serve(r, release.Of[TuesdayV6, Status](v6))
	serve(r, release.Of[TuesdayV5, Status](v5))
	serve(r, release.Of[TuesdayV7beta1, Status](v7beta1))
}

func policyToleratedTwins() twins { return nil }
