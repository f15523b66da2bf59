package train

import (
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// ratchet is 1.12, the guide's "Ratcheting validation": param must be a valid label value. That
// applies to creates and to changes of param; an object with an invalid param may keep it or
// fix it. The validation of the status is tightened without ratcheting: only the project's own
// components write it, and none ever wrote a negative number.
func ratchet(r *release.Release) {
	rule(r, release.Rule{Of: param, ValidateCreate: createParam, ValidateUpdate: updateParam})
	rule(r, release.Rule{ValidateStatusUpdate: updateStatus})
}

// param is the field of the rule.
const param = "param"

func createParam(_ release.Gates, created *api.Frobber) field.ErrorList {
	return validateParam(created)
}

func updateParam(_ release.Gates, updated, old *api.Frobber) field.ErrorList {
	if updated.Spec.Param == old.Spec.Param {
		return nil
	}
	return validateParam(updated)
}

func validateParam(f *api.Frobber) (all field.ErrorList) {
	for _, problem := range validation.IsValidLabelValue(f.Spec.Param) {
		all = append(all, field.Invalid(field.NewPath("spec", "param"), f.Spec.Param, problem))
	}
	return all
}

func updateStatus(_ release.Gates, updated, _ *api.Frobber) field.ErrorList {
	if updated.Status.Replicas >= 0 {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("status", "replicas"), updated.Status.Replicas, "must not be negative")}
}
