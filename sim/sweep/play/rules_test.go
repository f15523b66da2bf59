package play

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/hints"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/sweep"
)

// hinted returns a session of two releases, and a gate that a hint is for and no tag names.
func hinted(t *testing.T, older, newer string) (*session, string) {
	const component = "kube-apiserver"
	s := &session{builds: map[term.Role]servers.Build{
		term.Old: {Component: component, Version: older}, term.New: {Component: component, Version: newer},
	}}
	var err error
	s.hints, err = hints.Of(component)
	require.NoError(t, err)
	for _, h := range s.hints {
		if len(h.Gates) > 0 {
			return s, h.Gates[0]
		}
	}
	require.Fail(t, "no hint is for a gate")
	return nil, ""
}

// TestAddHinted: a gate without a field in the kind of a hint gets the hint's place, one with such a
// field keeps its own, and hand-written validation that changed on the way is a difference.
func TestAddHinted(t *testing.T) {
	s, gate := hinted(t, "v1.30.0", "v1.37.0")
	own := []diff.Place{{APIVersion: s.hints[0].APIVersion, Kind: s.hints[0].Kind, Path: ".spec.size"}}
	other := []diff.Place{{APIVersion: "v1", Kind: "Gadget", Path: ".spec.size"}}
	d := diff.Result{Differences: []diff.Difference{
		{Difference: term.GateChanged, Name: gate}, {Difference: term.GateChanged, Name: gate, Places: own}, {Difference: term.GateAdded, Name: "Other"},
		{Difference: term.GateChanged, Name: gate, Places: other},
	}}
	addHinted(&d, s.hints, s.builds)
	assert.NotEmpty(t, d.Differences[0].Places)
	assert.True(t, d.Differences[0].Playable)
	assert.Equal(t, own, d.Differences[1].Places)
	assert.False(t, d.Differences[2].Playable)
	assert.Equal(t, append(other, d.Differences[0].Places...), d.Differences[3].Places)
	require.Greater(t, len(d.Differences), 4)

	for _, difference := range append(d.Differences[:1:1], d.Differences[4:]...) {
		targets, err := lapRun{session: s, rows: []sweep.Row{{ID: "row", Difference: difference}}}.hintedValues()
		require.NoError(t, err)
		require.NotEmpty(t, targets, difference)
		for _, target := range targets {
			assert.Equal(t, "row", target.ID)
			assert.NotNil(t, target.Object)
			assert.Len(t, target.Values, 1)
		}
	}

	same, _ := hinted(t, "v1.37.0", "v1.37.1")
	none := diff.Result{}
	addHinted(&none, same.hints, same.builds)
	assert.Empty(t, none.Differences)
}

// TestMerged: the results of all targets of a row are one.
func TestMerged(t *testing.T) {
	trial := try.Trial{Target: "a"}
	got := merged([]try.Result{
		{Target: "a", Sent: 1, BothRefuse: 1, Unanswered: 1}, {Target: "b", Reason: "none"}, {Target: "a", Sent: 2, Trials: []try.Trial{trial}}, {Target: "a", Reason: "none"},
	})
	assert.Equal(t, map[string]try.Result{
		"a": {Target: "a", Sent: 3, BothRefuse: 1, Unanswered: 1, Trials: []try.Trial{trial}}, "b": {Target: "b", Reason: "none"},
	}, got)
}

// TestFirstOfEach: one place of each rule is tried before a second place of any, in the order of the rows.
func TestFirstOfEach(t *testing.T) {
	var s lapRun
	var wanted []sweep.Target
	s.session = &session{}
	for _, r := range [][2]string{{"a.mode", "511"}, {"b.mode", "511"}, {"b.size", "511"}, {"c.mode", "0"}, {"d.mode", "511"}} {
		d := diff.Difference{Difference: term.RuleTightened, Path: "." + r[0], Name: "maximum", New: r[1]}
		s.rows = append(s.rows, sweep.Row{ID: r[0], Difference: d})
		wanted = append(wanted, sweep.Target{Rows: []string{r[0]}})
	}
	var order []string
	for _, target := range s.firstOfEach(wanted) {
		order = append(order, target.Rows[0])
	}
	assert.Equal(t, []string{"a.mode", "b.size", "c.mode", "b.mode", "d.mode"}, order)
}
