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

// The specs of 1.14+removed.
type (
	RemovedV6 struct {
		InchesV6     `json:",inline"`
		TuesdayField `json:",inline"`
		RemovedField `json:",inline"`
	}
	RemovedV5 struct {
		InchesV5     `json:",inline"`
		TuesdayField `json:",inline"`
		RemovedField `json:",inline"`
	}
	RemovedV7beta1 struct {
		InchesV7beta1 `json:",inline"`
		TuesdayField  `json:",inline"`
		RemovedField  `json:",inline"`
	}
)

// manualRemoved has solar in the place of manual, at once. "Backward compatibility
// gotchas": "Removing an option requires following the deprecation process".
func manualRemoved(r *release.Release) {
	unionMember(r)
	serveAll[RemovedV6, RemovedV5, RemovedV7beta1](r)
}

// membersTogether lets members be set together, since the sun needs a motor. The
// release before refuses every write of such an object. "On compatibility":
// "explicitly invalid values do not become valid".
func membersTogether(r *release.Release) {
	unionMember(r)
	rule(r, release.Rule{Of: power})
}
