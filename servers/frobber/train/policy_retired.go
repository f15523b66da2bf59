package train

import (
	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// policyRetired is 1.11: Sometimes is taken out of the enum as the guide allows
// ("Backward compatibility gotchas"): "treat the removed value as deprecated but
// allowed". Who sends it is warned, and nobody is refused.
func policyRetired(r *release.Release) {
	rule(r, release.Rule{Warn: warnOfSometimes})
}

func warnOfSometimes(_ release.Gates, f *api.Frobber) []string {
	if f.Spec.RestartPolicy != Sometimes {
		return nil
	}
	return []string{`spec.restartPolicy: "Sometimes" is deprecated since 1.11: use "Always" or "Never"`}
}
