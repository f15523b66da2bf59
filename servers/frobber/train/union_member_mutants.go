package train

import "github.com/skewsim/skewsim/servers/frobber/release"

func unionMemberMutants() mutants {
	return mutants{"removed": manualRemoved, "both": membersTogether}
}

// RemovedPower is the union without its first member.
type RemovedPower struct {
	Motor *Motor `json:"motor,omitempty" protobuf:"bytes,2,opt,name=motor" doc:"motor is power by a motor."`
	Solar *Solar `json:"solar,omitempty" protobuf:"bytes,3,opt,name=solar" doc:"solar is power from the sun."`
}

// RemovedField is the field whose value it is.
type RemovedField struct {
	Power *RemovedPower `json:"power,omitempty" protobuf:"bytes,11,opt,name=power" doc:"power is what drives the object. At most one member is set. Further members may be added in the future: where none is set that a client knows, it should leave the object undriven, and the power as it is."`
}

// RemovedRest is what else an object has.
type RemovedRest struct {
	PlainFields  `json:",inline"`
	ParamsField  `json:",inline"`
	TuesdayField `json:",inline"`
	RemovedField `json:",inline"`
}

// RemovedV6 is a v6 without manual power.
type RemovedV6 struct {
	V6          `json:",inline"`
	InchesSize  `json:",inline"`
	ParamField  `json:",inline"`
	RemovedRest `json:",inline"`
}

// RemovedV5 is such a v5.
type RemovedV5 struct {
	V5          `json:",inline"`
	InchesSize  `json:",inline"`
	ArgField    `json:",inline"`
	RemovedRest `json:",inline"`
}

// RemovedV7beta1 is such a v7beta1.
type RemovedV7beta1 struct {
	V7beta1     `json:",inline"`
	Size        MemberSizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField  `json:",inline"`
	RemovedRest `json:",inline"`
}

// manualRemoved has solar in the place of manual, at once. "Backward compatibility
// gotchas": "Removing an option requires following the deprecation process".
func manualRemoved(r *release.Release) {
	unionMember(r)
	serve(r, release.Of[RemovedV6, Status](v6))
	serve(r, release.Of[RemovedV5, Status](v5))
	serve(r, release.Of[RemovedV7beta1, Status](v7beta1))
}

// membersTogether lets members be set together, since the sun needs a motor. The
// release before refuses every write of such an object. "On compatibility":
// "explicitly invalid values do not become valid".
func membersTogether(r *release.Release) {
	unionMember(r)
	rule(r, release.Rule{Of: power})
}
