package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func policyRetiredMutants() mutants {
	return mutants{"removed": sometimesRemoved, "replaced": sometimesReplaced}
}

// sometimesRemoved refuses the value. "On compatibility": "valid values do not
// become invalid" (rule 1).
func sometimesRemoved(r *release.Release) {
	policyRetired(r)
	rule(r, release.Rule{Validate: func(_ release.Gates, f *api.Frobber) field.ErrorList {
		if f.Spec.RestartPolicy != Sometimes {
			return nil
		}
		return field.ErrorList{field.NotSupported(field.NewPath("spec", "restartPolicy"), Sometimes, []string{Always, Never, OnlyOnTuesday})}
	}})
}

// sometimesReplaced refuses nobody, and reads another value wherever there is the
// removed one. "On compatibility": a change leaves the "interpretation of existing
// API types, fields, and values" alone (rule 2).
func sometimesReplaced(r *release.Release) {
	policyRetired(r)
	part(r, release.PartOf(release.Hooks[TuesdayField]{Default: func(f *TuesdayField) {
		if f.RestartPolicy = orAlways(f.RestartPolicy); f.RestartPolicy == Sometimes {
			f.RestartPolicy = Always
		}
	}}))
}
