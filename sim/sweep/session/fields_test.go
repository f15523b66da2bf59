package session

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/exercise"
	"github.com/skewsim/skewsim/sim/generate"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/sweep"
)

// TestFieldsWithPublishedRules: a field whose rule is a difference already is not tried a second
// time; one that differs in another way, or whose namesake in another kind has the rule, is.
func TestFieldsWithPublishedRules(t *testing.T) {
	const apiVersion, kind, path = "example.dev/v1", "Thing", ".spec.tries"
	serves := published.Release{Resources: []published.Resource{{APIVersion: apiVersion, Kind: kind}}}
	object := sweep.Object{
		Target:   sweep.Target{Target: exercise.Target{APIVersion: apiVersion, Kind: kind}},
		Specimen: exercise.Specimen{Object: map[string]any{"apiVersion": apiVersion, "kind": kind, "spec": map[string]any{"tries": int64(1)}}},
	}
	for _, c := range []struct {
		name, kind string
		difference term.DifferenceKind
		tried      int
	}{
		{"a rule", kind, term.RuleTightened, 0},
		{"a default", kind, term.DefaultChanged, 1},
		{"a rule of another kind", "Gadget", term.RuleTightened, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := diff.Difference{Difference: c.difference, Places: []diff.Place{{APIVersion: apiVersion, Kind: c.kind, Path: path}}}
			s := ride{session: &session{
				parts: []sweep.Row{{Difference: d}},
				plain: map[term.Role]published.Release{term.Old: serves, term.New: serves},
			}}
			assert.Len(t, s.fieldsOf(object, documents{s.at, map[string]*generate.Definitions{}}), c.tried)
		})
	}
}
