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

// The specs of 1.14.
type (
	MemberV6 struct {
		InchesV6     `json:",inline"`
		TuesdayField `json:",inline"`
		MemberField  `json:",inline"`
	}
	MemberV5 struct {
		InchesV5     `json:",inline"`
		TuesdayField `json:",inline"`
		MemberField  `json:",inline"`
	}
	MemberV7beta1 struct {
		InchesV7beta1 `json:",inline"`
		TuesdayField  `json:",inline"`
		MemberField   `json:",inline"`
	}
)

// unionMember is 1.14: a member is added to the union. "Backward compatibility
// gotchas": "it is acceptable to add a new option to the union if the appropriate
// conventions were followed in the original object". The release before drops the
// member whenever it writes an object, and leaves a union of none.
func unionMember(r *release.Release) {
	serveAll[MemberV6, MemberV5, MemberV7beta1](r)
}
