package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func prefixMutants() mutants { return mutants{"required": alphaSpinRequired} }

// alphaSpinRequired asks everybody for the alpha field. A prefix is no gate: the
// field is there for all, and has to be optional like any that is added.
func alphaSpinRequired(r *release.Release) {
	prefix(r)
	rule(r, release.Rule{Validate: func(_ release.Gates, f *api.Frobber) field.ErrorList {
		if f.Spec.AlphaSpin != nil {
			return nil
		}
		return field.ErrorList{field.Required(field.NewPath("spec", "alphaSpin"), "how fast does it turn?")}
	}})
}
