package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/objects/try"
)

// TestRowOfRemovedField: the loss of a field that went is in the row of that field alone.
func TestRowOfRemovedField(t *testing.T) {
	for verdict, removed := range map[term.Effect]string{term.Kept.Effect(): valueRow + ".y", term.Lost.By(term.OldServer): valueRow + ".z"} {
		r, lost := aRun(), lostHere
		lost.Path = valueRow + ".y"
		r.finding(theObject, lost)
		r.objects = append(r.objects, Object{Target: Target{
			Target: try.Target{ID: "gone", APIVersion: "v1", Kind: "Thing", Path: removed}, Rows: []string{"field-removed/Thing/x"},
		}})
		assert.Equal(t, verdict, r.judged()[0].Effect, removed)
	}
}

// TestReasonOfPlayed: why a row is not exercised is what a lap says in which servers answered, and not that
// another lap does not serve the kind.
func TestReasonOfPlayed(t *testing.T) {
	unserved := LapResult{Lap: term.DefaultLap, Effect: term.NotExercised.Effect(), Reason: "not served"}
	answered := LapResult{Lap: term.GatesLap, Effect: term.NotExercised.Effect(), Reason: "refused", WasPlayed: true}
	for want, laps := range map[string][]LapResult{"refused": {unserved, answered}, "not served": {unserved, unserved}} {
		r := Row{Laps: laps}
		r.conclude()
		assert.Equal(t, want, r.Reason)
	}
}

// TestRulingOfRefusal: of equal fates one with a ruling is the row's: a client that asked for a refusal says
// nothing of those that did not.
func TestRulingOfRefusal(t *testing.T) {
	asked, other := Cell{Effect: term.Refused.Effect()}, Cell{Effect: term.Refused.Effect(), Class: term.Impact, Rule: term.RuleLifecycle}
	broken := Cell{Effect: term.Refused.Effect(), Class: term.Violation, Rule: term.Rule1}
	for want, cells := range map[term.Rule][]Cell{term.RuleLifecycle: {asked, other}, term.Rule1: {asked, other, broken, other}, "": {asked, {Effect: term.Kept.Effect(), Class: term.Violation}}} {
		o := LapResult{Cells: cells, Exercised: true}
		(&book{played: map[string]played{}}).decide(&o, nil)
		assert.Equal(t, want, o.Rule)
	}
}
