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

// PolicyRest is what else an object has.
type PolicyRest struct {
	PlainFields `json:",inline"`
	ParamsField `json:",inline"`
	PolicyField `json:",inline"`
}

// PolicyV6 is still v6.
type PolicyV6 struct {
	V6         `json:",inline"`
	InchesSize `json:",inline"`
	ParamField `json:",inline"`
	PolicyRest `json:",inline"`
}

// PolicyV5 is still v5.
type PolicyV5 struct {
	V5         `json:",inline"`
	InchesSize `json:",inline"`
	ArgField   `json:",inline"`
	PolicyRest `json:",inline"`
}

// PolicyV7beta1 is still v7beta1.
type PolicyV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       PolicySizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	PolicyRest `json:",inline"`
}

// PolicySizeMember is the size as v7beta1 has it.
type PolicySizeMember struct {
	InchesSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (PolicySizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// policy is 1.8: restartPolicy, an enum that is documented to be open. Always is
// what every object was before.
func policy(r *release.Release) {
	serve(r, release.Of[PolicyV6, Status](v6))
	serve(r, release.Of[PolicyV5, Status](v5))
	serve(r, release.Of[PolicyV7beta1, Status](v7beta1))
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
