package train_test

import (
	"fmt"
	"testing"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
	"github.com/skewsim/skewsim/servers/frobber/train"
)

// hookProbes are what is asked of the hooks that no other probe calls.
func hookProbes() map[string]probe {
	angle := int32(30)
	return map[string]probe{
		"a stored angle that is read, gate off": func(_ testing.TB, r *release.Release) string {
			f := &api.Frobber{Spec: api.Spec{Angle: &angle}}
			for _, rule := range r.Rules {
				if rule.Hide != nil {
					rule.Hide(off, f)
				}
			}
			return value(f.Spec.Angle)
		},
		"what a start makes of a stored object": func(_ testing.TB, r *release.Release) string {
			f := &api.Frobber{}
			for _, rule := range r.Rules {
				if rule.Migrate != nil && rule.Migrate(f) && rule.Migrate(f) {
					return "never done"
				}
			}
			return f.Annotations[train.DepthAnnotation]
		},
		"warnings of a weak motor":            warned(&api.Power{Motor: &api.Motor{Watts: new(int32(1))}}),
		"warnings of a power that none knows": warned(&api.Power{}),
	}
}

// warned are the warnings for an object with a power.
func warned(power *api.Power) probe {
	return func(_ testing.TB, r *release.Release) (warnings string) {
		defer func() {
			if recover() != nil {
				warnings = "a panic"
			}
		}()
		var all []string
		for _, rule := range r.Rules {
			if rule.Warn != nil {
				all = append(all, rule.Warn(on, &api.Frobber{Spec: api.Spec{Power: power}})...)
			}
		}
		return fmt.Sprint(all)
	}
}

// hookMistakes are the probes by which their mutants differ.
func hookMistakes() map[string][]string {
	return map[string][]string{
		"1.2+hides":     {"a stored angle that is read, gate off"},
		"1.13+presumes": {"warnings of a power that none knows", "warnings of a weak motor"},
		"1.24+writes":   {"what a start makes of a stored object"},
	}
}
