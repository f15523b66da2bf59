package train

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// The policies.
const (
	Always        = "Always"
	Never         = "Never"
	Sometimes     = "Sometimes"
	OnlyOnTuesday = "OnlyOnTuesday" // since 1.9
)

// Policy says whether an object is frobbed again.
type Policy string

// Known is the policy as a client of 1.8 acts on it: as the field's description
// asks, one that it does not know is Never to it.
func (p Policy) Known() Policy { return knownPolicy(p, Always, Never, Sometimes) }

func knownPolicy[P ~string](p P, known ...P) P {
	if slices.Contains(known, p) {
		return p
	}
	return Never
}

// PolicyField is the guide's enum ("New enum value in existing field"). Its first
// description says already that it is open, and what to make of other values.
type PolicyField struct {
	RestartPolicy Policy `json:"restartPolicy,omitempty" protobuf:"bytes,10,opt,name=restartPolicy" doc:"restartPolicy may be set to Always, Never or Sometimes; default Always. Additional policies may be defined in the future. Clients should expect to handle additional values, and treat unrecognized values in this field as Never." default:"\"Always\""`
}

// The specs of 1.8.
type (
	PolicyV6 struct {
		InchesV6    `json:",inline"`
		PolicyField `json:",inline"`
	}
	PolicyV5 struct {
		InchesV5    `json:",inline"`
		PolicyField `json:",inline"`
	}
	PolicyV7beta1 struct {
		InchesV7beta1 `json:",inline"`
		PolicyField   `json:",inline"`
	}
)

// policy is 1.8: restartPolicy, an enum that is documented to be open. Always is
// what every object was before.
func policy(r *release.Release) {
	serveAll[PolicyV6, PolicyV5, PolicyV7beta1](r)
	part(r, release.PartOf(release.Hooks[PolicyField]{Default: func(f *PolicyField) { f.RestartPolicy = orAlways(f.RestartPolicy) }}))
	rule(r, release.Rule{Of: restartPolicy, Validate: func(_ release.Gates, f *api.Frobber) field.ErrorList {
		return validatePolicy(f, Always, Never, Sometimes)
	}})
}

// restartPolicy is the field that the rule is of, which later edits replace.
const restartPolicy = "restartPolicy"

func orAlways[P ~string](p P) P {
	if p == "" {
		return Always
	}
	return p
}

func validatePolicy(f *api.Frobber, supported ...string) field.ErrorList {
	if slices.Contains(supported, f.Spec.RestartPolicy) {
		return nil
	}
	return field.ErrorList{field.NotSupported(field.NewPath("spec", "restartPolicy"), f.Spec.RestartPolicy, supported)}
}
