package train

import (
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// ratchet is 1.12, the guide's "Ratcheting validation": param must be what a label
// can hold. That is asked of what is created and of a param that is changed;
// an object whose param is wrong already can remain so, or be mended. The
// validation of the status is tightened outright: its only writers are the
// project's own, and none ever wrote a negative number there.
func ratchet(r *release.Release) {
	rule(r, release.Rule{Of: param, ValidateCreate: createParam, ValidateUpdate: updateParam})
	rule(r, release.Rule{ValidateStatusUpdate: updateStatus})
}

// param is the field that the rule is of.
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
