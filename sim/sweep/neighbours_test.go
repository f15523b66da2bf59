package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/result"
)

// TestNeighboursAlike: a field that has a row of its own is not what is changed beside a value, nor is what it
// holds; a row of another kind or version is no reason.
func TestNeighboursAlike(t *testing.T) {
	required := ofThing(term.RequiredAdded, ".spec.times", "", "", "")
	o := Object{Target: Targets([]Row{required}, term.DefaultLap, Options{})[0]}
	o.Specimen.Held = ".spec"
	o.Specimen.Object = map[string]any{"spec": map[string]any{"mode": "sample", "paused": true, "rules": map[string]any{"kafka": map[string]any{"topic": "sample"}}}}
	of := func(version, kind, path string) diff.Difference {
		return diff.Difference{Difference: term.DefaultChanged, Group: "example.dev", Version: version, Kind: kind, Path: path}
	}
	for _, c := range []struct {
		whole []diff.Difference
		want  map[string]any
	}{
		{nil, map[string]any{".spec.mode": "samplea"}},
		{[]diff.Difference{of("v1", "Thing", ".spec.mode")}, map[string]any{".spec.paused": false}},
		{[]diff.Difference{of("v2", "Thing", ".spec.mode"), of("v1", "Cog", ".spec.mode")}, map[string]any{".spec.mode": "samplea"}},
		{[]diff.Difference{of("v1", "Thing", ".spec.mode"), of("v1", "Thing", ".spec.paused")}, map[string]any{".spec.rules.kafka.topic": "samplea"}},
		{[]diff.Difference{of("v1", "Thing", ".spec.mode"), of("v1", "Thing", ".spec.paused"), of("v1", "Thing", ".spec.rules.kafka")}, nil},
	} {
		assert.Equal(t, c.want, withNeighbours(append(c.whole, required.Difference), o)[0].Target.Neighbour)
	}
	for i := range 2 { // fields with other rules come last, and never where no server is asked
		ruled := of("v1", "Thing", ".spec.mode")
		ruled.Difference = term.RuleTightened
		all := []diff.Difference{ruled, of("v1", "Thing", ".spec.rules.kafka"), required.Difference}
		assert.Equal(t, map[string]any{".spec.paused": false}, withNeighbours(all, o)[0].Target.Neighbour)
		all = append(all, of("v1", "Thing", ".spec.paused"))
		assert.Equal(t, []map[string]any{{".spec.mode": "samplea"}, nil}[i], withNeighbours(all, o)[0].Target.Neighbour)
		o.Specimen.Subresource = term.StatusPart
	}
}

// TestWithChange: servers are asked about the object as it is created with the change, and not where a
// subresource writes the value.
func TestWithChange(t *testing.T) {
	o := Object{Target: Target{Release: term.Old}}
	o.Specimen.Object = map[string]any{"metadata": map[string]any{"name": "x"}, "spec": map[string]any{"a": "x"}}
	changed, can := o.WithChange(map[string]any{".spec.a": "y"})
	assert.True(t, can)
	assert.Equal(t, map[string]any{"a": "y"}, changed["spec"])
	assert.Equal(t, map[string]any{"a": "x"}, o.Specimen.Object["spec"])
	o.Specimen.Subresource = term.StatusPart
	_, can = o.WithChange(map[string]any{".status.a": "y"})
	assert.False(t, can)
}

// TestEmptied: an object with a field that is removed is for the rules of its struct that name the field, and
// for no other: what it loses is not theirs.
func TestEmptied(t *testing.T) {
	removed := ofThing(term.FieldRemoved, ".spec.in[].rules.kafka", "", "", "")
	rule := ofThing(term.RuleChanged, ".spec.in[].rules", "oneOf", `[{"required":["http"]},{"required":["kafka"]}]`, `[{"required":["http"]}]`)
	for want, other := range map[bool]Row{true: rule, false: ofThing(term.RuleChanged, ".spec.in[].rules", "oneOf", `[{"required":["http"]}]`, "")} {
		emptied := false
		for _, target := range Targets([]Row{removed, other}, term.DefaultLap, Options{}) {
			if target.Emptied {
				emptied = true
				assert.Equal(t, []string{other.ID}, target.Rows)
				assert.True(t, target.Beside)
			}
		}
		assert.Equal(t, want, emptied)
	}
	findings := map[string][]result.Finding{"a": {{Path: ".spec.in[0].rules.kafka", Outcome: term.Lost}, {Outcome: term.Frozen}}}
	assert.Equal(t, []result.Finding{{Outcome: term.Frozen}}, withoutLosses(findings)["a"])
	assert.Len(t, findings["a"], 2)
	assert.Equal(t, term.Kept.Effect(), playedOf(Object{Target: Target{Emptied: true}}).endState(copyEvidence{}))
}
