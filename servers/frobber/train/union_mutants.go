package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func unionMutants() mutants { return mutants{"closed": powerClosed, "presumes": powerPresumed} }

// powerPresumed warns of a weak motor, and takes what is not driven by hand for driven by
// a motor. What is left of a member that a later release adds is neither, so that the
// server panics. "On compatibility": "Any API call that uses your change must not cause
// problems (e.g. crash or degrade behavior) when issued against an API servers that do
// not include your change".
func powerPresumed(r *release.Release) {
	union(r)
	r.Rules[len(r.Rules)-1].Warn = func(_ release.Gates, f *api.Frobber) []string {
		switch p := f.Spec.Power; {
		case p == nil, p.Manual != nil:
			return nil
		case p.Motor.Watts != nil && *p.Motor.Watts < weakest:
			return []string{"spec.power.motor.watts: the motor may be too weak"}
		}
		return nil
	}
}

// weakest is how many watts a motor should have.
const weakest = 10

// powerClosed asks for exactly one of the members that it knows. A release that
// knows a further one cannot be rolled back to this: what is left of the further
// one, none, is refused. "Backward compatibility gotchas": a member can be added
// "if the appropriate conventions were followed in the original object".
func powerClosed(r *release.Release) {
	union(r)
	rule(r, release.Rule{Of: power, Validate: func(on release.Gates, f *api.Frobber) field.ErrorList {
		if f.Spec.Power != nil && members(f.Spec.Power) == 0 {
			return field.ErrorList{field.Required(field.NewPath("spec", "power"), "one member must be set")}
		}
		return validatePower(on, f)
	}})
}
