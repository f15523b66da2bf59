package train

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

func unionTwins() twins { return twins{"closed": powerClosed} }

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
