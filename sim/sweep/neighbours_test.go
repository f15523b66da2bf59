package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
)

// TestNeighboursAlike: a field that has a row of its own is not what is changed beside a value, nor is what it
// holds; a row of another kind or version is no reason.
func TestNeighboursAlike(t *testing.T) {
	required := ofThing(term.RequiredAdded, ".spec.times", "", "", "")
	o := Object{Target: Targets([]Row{required}, term.DefaultLap, Options{})[0]}
	o.Specimen.Held = ".spec"
	o.Specimen.Object = map[string]any{"spec": map[string]any{"mode": "sample", "paused": true, "rules": map[string]any{"kafka": map[string]any{"topic": "sample"}}}}
	of := func(version, kind, path string) diff.Difference {
		return diff.Difference{Difference: term.RuleTightened, Group: "example.dev", Version: version, Kind: kind, Path: path}
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
