package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/result"
)

// TestGateUnused: an object without what is behind a gate that is off shows nothing of the gate while
// all is kept, and never that the gate is reachable. What happens to it otherwise is the gate's.
func TestGateUnused(t *testing.T) {
	gate := diff.Gate{Name: "G", New: &diff.GateState{Stage: "ALPHA"}}
	play := func(without string, found ...result.Finding) Row {
		r := aRun()
		d := &r.rows[0].Difference
		d.Difference, d.Name, d.Gates = term.GateAdded, "G", []diff.Gate{gate}
		r.rows[0].Reachable = Reachable(*d)
		r.objects[theObject].Target.Without = without
		for _, f := range found {
			r.finding(theObject, f)
		}
		return r.judged()[0]
	}
	for name, c := range map[string]struct {
		row       Row
		exercised bool
		verdict   term.Effect
	}{
		"without":         {play("x"), false, term.NotExercised.Effect()},
		"with":            {play(""), true, term.Kept.Effect()},
		"without, frozen": {play("x", result.Finding{Outcome: term.Frozen, Class: term.Violation, Via: term.New}), true, term.Frozen.Effect()},
	} {
		assert.Equal(t, c.exercised, c.row.Exercised, name)
		assert.Equal(t, c.verdict, c.row.Effect, name)
		assert.False(t, c.row.Reachable, name)
	}
}
