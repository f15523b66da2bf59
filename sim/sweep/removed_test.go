package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/objects/try"
)

// TestRowOfRemovedField: the loss of a field that went is in the row of that field alone.
func TestRowOfRemovedField(t *testing.T) {
	for verdict, removed := range map[term.Fate]string{term.FateKept: valueRow + ".y", term.FateLostByOld: valueRow + ".z"} {
		r, lost := aRun(), lostHere
		lost.Path = valueRow + ".y"
		r.finding(theObject, lost)
		r.objects = append(r.objects, Object{Target: Target{
			Target: try.Target{ID: "gone", APIVersion: "v1", Kind: "Thing", Path: removed}, Rows: []string{"field-removed/Thing/x"},
		}})
		assert.Equal(t, verdict, r.judged()[0].Verdict, removed)
	}
}

// TestReasonOfPlayed: why a row is not exercised is what a lap says in which servers answered, and not that
// another lap does not serve the kind.
func TestReasonOfPlayed(t *testing.T) {
	unserved := Outcome{Lap: term.DefaultLap, Verdict: term.FateNotExercised, Reason: "not served"}
	answered := Outcome{Lap: term.GatesLap, Verdict: term.FateNotExercised, Reason: "refused", WasPlayed: true}
	for want, laps := range map[string][]Outcome{"refused": {unserved, answered}, "not served": {unserved, unserved}} {
		r := Row{Laps: laps}
		r.conclude()
		assert.Equal(t, want, r.Reason)
	}
}

// TestRulingOfRefusal: of equal fates one with a ruling is the row's: a client that asked for a refusal says
// nothing of those that did not.
func TestRulingOfRefusal(t *testing.T) {
	asked, other := Cell{Fate: term.FateRefused}, Cell{Fate: term.FateRefused, Class: term.Impact, Rule: term.RuleLifecycle}
	broken := Cell{Fate: term.FateRefused, Class: term.Violation, Rule: term.Rule1}
	for want, cells := range map[term.Rule][]Cell{term.RuleLifecycle: {asked, other}, term.Rule1: {asked, other, broken, other}, "": {asked, {Fate: term.FateKept, Class: term.Violation}}} {
		o := Outcome{Cells: cells, Exercised: true}
		(&book{played: map[string]played{}}).decide(&o, nil)
		assert.Equal(t, want, o.Rule)
	}
}
