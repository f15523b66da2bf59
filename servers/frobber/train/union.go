package train

import (
	"reflect"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// Power is a union. Its members are pointers, so that it shows which is set, and
// none of them need be: the conventions that let a later release add one.
type Power struct {
	Manual *Manual `json:"manual,omitempty" protobuf:"bytes,1,opt,name=manual" doc:"manual is power by hand."`
	Motor  *Motor  `json:"motor,omitempty" protobuf:"bytes,2,opt,name=motor" doc:"motor is power by a motor."`
}

// Manual is power by hand.
type Manual struct {
	Hands *int32 `json:"hands,omitempty" protobuf:"varint,1,opt,name=hands" doc:"hands is how many it takes."`
}

// Motor is power by a motor.
type Motor struct {
	Watts *int32 `json:"watts,omitempty" protobuf:"varint,1,opt,name=watts" doc:"watts is how strong it is."`
}

// PowerField is a field whose value is a union.
type PowerField struct {
	Power *Power `json:"power,omitempty" protobuf:"bytes,11,opt,name=power" doc:"power is what drives the object. At most one member is set. Further members may be added in the future: where none is set that a client knows, it should leave the object undriven, and the power as it is."`
}

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

// union is 1.13: power, a set "of fields where at most one should be set"
// ("Backward compatibility gotchas").
func union(r *release.Release) {
	serve(r, release.Of[UnionV6, Status](v6))
	serve(r, release.Of[UnionV5, Status](v5))
	serve(r, release.Of[UnionV7beta1, Status](v7beta1))
	rule(r, release.Rule{Of: power, Validate: validatePower})
}

// power is the field that the rule is of.
const power = "power"

// validatePower allows for none: that is what a server, or a client, leaves of a
// member that it does not know.
func validatePower(_ release.Gates, f *api.Frobber) field.ErrorList {
	if members(f.Spec.Power) <= 1 {
		return nil
	}
	return field.ErrorList{field.Forbidden(field.NewPath("spec", "power"), "at most one member may be set")}
}

// members counts those that are set.
func members(p *api.Power) (set int) {
	if p == nil {
		return 0
	}
	for _, member := range reflect.ValueOf(*p).Fields() { // those of later releases too
		if !member.IsNil() {
			set++
		}
	}
	return set
}
