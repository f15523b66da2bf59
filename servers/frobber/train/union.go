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

// The specs of 1.13.
type (
	UnionV6 struct {
		InchesV6     `json:",inline"`
		TuesdayField `json:",inline"`
		PowerField   `json:",inline"`
	}
	UnionV5 struct {
		InchesV5     `json:",inline"`
		TuesdayField `json:",inline"`
		PowerField   `json:",inline"`
	}
	UnionV7beta1 struct {
		InchesV7beta1 `json:",inline"`
		TuesdayField  `json:",inline"`
		PowerField    `json:",inline"`
	}
)

// union is 1.13: power, a set "of fields where at most one should be set"
// ("Backward compatibility gotchas").
func union(r *release.Release) {
	serveAll[UnionV6, UnionV5, UnionV7beta1](r)
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
