package preflight

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight"
)

// TestReturning: what objects have already is said with what happens to it, and of the other writes those of kinds
// that exist come first.
func TestReturning(t *testing.T) {
	write := func(kind, path string, objects int) preflight.Threshold {
		return preflight.Threshold{Kind: kind, Path: path, What: preflight.Writer(path) + " " + path + " of " + preflight.WithArticle(kind), Objects: objects}
	}
	back := func(c term.Outcome, path string) preflight.Finding {
		return preflight.Finding{Outcome: c, Direction: preflight.Back, Kind: "Pod", Name: "a", Path: path}
	}
	h := preflight.Hop{
		Set: 2, Kinds: []preflight.Kind{{Kind: "Pod", Objects: 1}, {Kind: "Job"}},
		PointOfNoReturn: []preflight.Threshold{write("Job", ".spec.a", 0), write("Pod", ".spec.b", 0), write("Pod", ".spec.kept", 1), write("Pod", ".status.lost", 1)},
		Findings:        []preflight.Finding{back(term.MeansOther, ".spec.kept"), back(term.Lost, ".status.lost.below"), {Outcome: term.Lost, Direction: preflight.Up, Kind: "Pod", Path: ".spec.kept"}},
	}
	all := returning(h)
	require.Len(t, all, 2, "no gate is known that no field names")
	require.Len(t, all[0].Writes, 2)
	assert.Contains(t, all[0].Writes[0], "kept")
	assert.NotContains(t, all[0].Writes[0], "lost")
	assert.Contains(t, all[0].Writes[1], "lost")
	assert.Contains(t, all[1].Writes[0], "Pod", "there is one today")
	assert.Contains(t, all[1].Writes[1], "Job")
	assert.NotContains(t, all[0].Text, "survive", "some are kept")
	for i := range maxGates + 2 {
		h.Gates = append(h.Gates, preflight.Gate{Name: fmt.Sprintf("Gate%d", i), Old: &preflight.GateState{Stage: "ALPHA"}, New: preflight.GateState{Stage: "BETA", Default: true}})
	}
	h.Gates[1].Old = nil
	last := returning(h)[2].Text
	for _, named := range []string{"Gate0 (ALPHA off → BETA on)", "Gate1 (none → BETA on)", "2 more"} {
		assert.Contains(t, last, named)
	}
	assert.NotContains(t, last, "Gate7", "the data has all")
}

// TestJudged: where fewer objects are judged than were taken, the report says why; not where all are, or none was
// reached.
func TestJudged(t *testing.T) {
	of := func(n int) preflight.Result {
		return preflight.Result{Source: preflight.Source{Objects: 3}, Hops: []preflight.Hop{{Kinds: []preflight.Kind{{Kind: "Pod", Objects: n}}}}}
	}
	assert.Contains(t, judged(of(2)), "2 of these")
	assert.Empty(t, judged(of(3)))
	assert.Empty(t, judged(preflight.Result{Source: preflight.Source{Objects: 3}, Hops: []preflight.Hop{{}}}))
}
