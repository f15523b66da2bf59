package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func ratchetMutants() mutants {
	return mutants{
		"tightened": paramTightened,
		"relaxed":   policyRelaxed,
		"immutable": paramImmutable,
		"valid":     heightValid,
	}
}

// paramTightened asks all objects for a right param, also those that were stored
// with a wrong one: nothing of them can be written. "Ratcheting validation": "old
// invalid: succeeds"; "Backward compatibility gotchas": validation rules "can
// neither be relaxed nor strengthened" (rule 1).
func paramTightened(r *release.Release) {
	ratchet(r)
	rule(r, release.Rule{Of: param, Validate: func(_ release.Gates, f *api.Frobber) field.ErrorList { return validateParam(f) }})
}

// policyRelaxed takes any policy, since clients treat those they do not know as
// Never anyway. "Backward compatibility gotchas": "Weakening validation has the
// potential to break other consumers": here, the release before.
func policyRelaxed(r *release.Release) {
	ratchet(r)
	rule(r, release.Rule{Of: restartPolicy})
}

// paramImmutable lets nobody change a param. "On compatibility": "mutable fields
// do not become immutable" (rule 1).
func paramImmutable(r *release.Release) {
	ratchet(r)
	rule(r, release.Rule{ValidateUpdate: func(_ release.Gates, updated, old *api.Frobber) field.ErrorList {
		if updated.Spec.Param == old.Spec.Param {
			return nil
		}
		return field.ErrorList{field.Invalid(field.NewPath("spec", "param"), updated.Spec.Param, "field is immutable")}
	}})
}

// heightValid gives a height of -1, which was refused, a meaning: it is no limit.
// "On compatibility": "explicitly invalid values do not become valid" (rule 2).
func heightValid(r *release.Release) {
	ratchet(r)
	for i := range r.Rules {
		if validate := r.Rules[i].Validate; validate != nil {
			r.Rules[i].Validate = func(on release.Gates, f *api.Frobber) field.ErrorList {
				if height(f) != -1 {
					return validate(on, f)
				}
				limited := *f
				limited.Spec.Height = nil
				return validate(on, &limited)
			}
		}
	}
}
