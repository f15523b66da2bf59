package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-base/featuregate"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// FrobberRestartPolicyOnTuesday is the guide's gate of a new enum value.
const FrobberRestartPolicyOnTuesday featuregate.Feature = "FrobberRestartPolicyOnTuesday"

// TuesdayPolicy is the policy for those who know of Tuesdays.
type TuesdayPolicy string

// Known is the policy as a client since 1.9 acts on it.
func (p TuesdayPolicy) Known() TuesdayPolicy {
	return knownPolicy(p, Always, Never, Sometimes, OnlyOnTuesday)
}

// TuesdayField describes what the new value takes, and is the field that was.
type TuesdayField struct {
	RestartPolicy TuesdayPolicy `json:"restartPolicy,omitempty" protobuf:"bytes,10,opt,name=restartPolicy" doc:"restartPolicy may be set to Always, Never or Sometimes (or OnlyOnTuesday, if the FrobberRestartPolicyOnTuesday feature is enabled); default Always. Additional policies may be defined in the future. Clients should expect to handle additional values, and treat unrecognized values in this field as Never." default:"\"Always\""`
}

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

// policyTolerated is 1.9, release 1 of two: who creates an object with OnlyOnTuesday
// or sets it is refused, unless the gate is on. An object that has it already
// keeps it, whatever else of it is written: a server of the next release, where
// it is allowed, has stored it.
func policyTolerated(r *release.Release) {
	serve(r, release.Of[TuesdayV6, Status](v6))
	serve(r, release.Of[TuesdayV5, Status](v5))
	serve(r, release.Of[TuesdayV7beta1, Status](v7beta1))
	part(r, release.PartOf(release.Hooks[TuesdayField]{Default: func(f *TuesdayField) { f.RestartPolicy = orAlways(f.RestartPolicy) }}))
	gate(r, FrobberRestartPolicyOnTuesday, featuregate.FeatureSpec{Default: false, PreRelease: featuregate.Alpha})
	rule(r, tuesdayRule())
}

func tuesdayRule() release.Rule {
	return release.Rule{
		Of: restartPolicy,
		ValidateCreate: func(on release.Gates, created *api.Frobber) field.ErrorList {
			return validateTuesday(created, on(FrobberRestartPolicyOnTuesday))
		},
		ValidateUpdate: func(on release.Gates, updated, old *api.Frobber) field.ErrorList {
			return validateTuesday(updated, on(FrobberRestartPolicyOnTuesday) || old.Spec.RestartPolicy == OnlyOnTuesday)
		},
	}
}

func validateTuesday(f *api.Frobber, allowed bool) field.ErrorList {
	switch {
	case allowed:
		return validatePolicy(f, Always, Never, Sometimes, OnlyOnTuesday)
	case f.Spec.RestartPolicy == OnlyOnTuesday:
		return field.ErrorList{field.Invalid(field.NewPath("spec", "restartPolicy"), f.Spec.RestartPolicy,
			"only allowed if the FrobberRestartPolicyOnTuesday feature is enabled")}
	}
	return validatePolicy(f, Always, Never, Sometimes)
}
