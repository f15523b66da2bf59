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

// The specs of 1.9.
type (
	TuesdayV6 struct {
		InchesV6     `json:",inline"`
		TuesdayField `json:",inline"`
	}
	TuesdayV5 struct {
		InchesV5     `json:",inline"`
		TuesdayField `json:",inline"`
	}
	TuesdayV7beta1 struct {
		InchesV7beta1 `json:",inline"`
		TuesdayField  `json:",inline"`
	}
)

// policyTolerated is 1.9, release 1 of two: who creates an object with OnlyOnTuesday
// or sets it is refused, unless the gate is on. An object that has it already
// keeps it, whatever else of it is written: a server of the next release, where
// it is allowed, has stored it.
func policyTolerated(r *release.Release) {
	serveAll[TuesdayV6, TuesdayV5, TuesdayV7beta1](r)
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
