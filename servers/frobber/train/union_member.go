package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// SolarPower is the union with a member more.
type SolarPower struct {
	Power `json:",inline"`
	Solar *Solar `json:"solar,omitempty" protobuf:"bytes,3,opt,name=solar" doc:"solar is power from the sun."`
}

// Solar is power from the sun.
type Solar struct {
	Panels *int32 `json:"panels,omitempty" protobuf:"varint,1,opt,name=panels" doc:"panels is how many there are."`
}

// MemberField is the field whose value it is.
type MemberField struct {
	Power *SolarPower `json:"power,omitempty" protobuf:"bytes,11,opt,name=power" doc:"power is what drives the object. At most one member is set. Further members may be added in the future: where none is set that a client knows, it should leave the object undriven, and the power as it is."`
}

// MemberRest is what else an object has.
type MemberRest struct {
	PlainFields  `json:",inline"`
	ParamsField  `json:",inline"`
	TuesdayField `json:",inline"`
	MemberField  `json:",inline"`
}

// MemberV6 is still v6.
type MemberV6 struct {
	V6         `json:",inline"`
	InchesSize `json:",inline"`
	ParamField `json:",inline"`
	MemberRest `json:",inline"`
}

// MemberV5 is still v5.
type MemberV5 struct {
	V5         `json:",inline"`
	InchesSize `json:",inline"`
	ArgField   `json:",inline"`
	MemberRest `json:",inline"`
}

// MemberV7beta1 is still v7beta1.
type MemberV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       MemberSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	MemberRest `json:",inline"`
}

// MemberSizeMember is the size as v7beta1 has it.
type MemberSizeMember struct {
	InchesSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (MemberSizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// unionMember is 1.14: a member is added to the union. "Backward compatibility
// gotchas": "it is acceptable to add a new option to the union if the appropriate
// conventions were followed in the original object". The release before drops the
// member whenever it writes an object, and leaves a union of none.
func unionMember(r *release.Release) {
	serve(r, release.Of[MemberV6, Status](v6))
	serve(r, release.Of[MemberV5, Status](v5))
	serve(r, release.Of[MemberV7beta1, Status](v7beta1))
}
