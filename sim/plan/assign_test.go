package plan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

func TestAssignments(t *testing.T) {
	condition := map[string]any{
		"type": plan.TouchCondition, "status": "True", "reason": "Touched",
		"message": "step-12", "lastTransitionTime": "2000-01-01T00:00:00Z",
	}
	for name, c := range map[string]struct {
		change plan.Change
		paths  []string
		values []any
	}{
		"label": {
			plan.Change{Kind: plan.Label, Names: []string{`.metadata.labels["skewsim.dev/touch"]`}},
			[]string{`.metadata.labels["skewsim.dev/touch"]`}, []any{"step-12"},
		},
		"condition": {
			plan.Change{Kind: plan.Condition, Names: []string{`.status.conditions[type="x"]`}},
			[]string{`.status.conditions[type="x"]`}, []any{condition},
		},
		"scale": {
			plan.Change{Kind: plan.Scale, Names: []string{".spec.replicas"}},
			[]string{".spec.replicas"}, []any{int64(12)},
		},
		"nothing": {plan.Change{Kind: plan.Nothing}, nil, nil},
		"fields, in the order of their paths": {
			plan.Change{Kind: plan.Fields, Fields: map[string]any{".b": nil, ".a": int64(1)}},
			[]string{".a", ".b"}, []any{int64(1), nil},
		},
	} {
		all, err := plan.Step{Number: 12, Verb: term.Put, Change: &c.change}.Assignments()
		require.NoError(t, err, name)
		var paths []string
		var values []any
		for _, a := range all {
			paths, values = append(paths, path.String(a.Path)), append(values, a.Value)
		}
		assert.Equal(t, c.paths, paths, name)
		assert.Equal(t, c.values, values, name)
	}
}

// TestMark: two steps never write the same.
func TestMark(t *testing.T) {
	assert.Equal(t, "step-12", plan.Step{Number: 12}.Mark())
	assert.NotEqual(t, plan.Step{Number: 12}.Mark(), plan.Step{Number: 13}.Mark())
}

func TestAssignmentsRefuse(t *testing.T) {
	for want, m := range map[string]plan.Change{
		"put: a body change assigns nothing": {Kind: plan.Body},
		`"x": position 1: a path starts at the object's root with "." or "[", as .spec does`: {
			Kind: plan.Fields, Fields: map[string]any{"x": 1},
		},
	} {
		_, err := plan.Step{Verb: term.Put, Change: &m}.Assignments()
		assert.EqualError(t, err, want)
	}
}
