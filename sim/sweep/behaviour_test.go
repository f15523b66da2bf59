package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/exercise/rules"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/sweep/identity"
)

// TestLapsOfBehaviour: what a baseline shows in one lap explains nothing of what it shows in the next.
func TestLapsOfBehaviour(t *testing.T) {
	r := aRun()
	r.finding(theBaseline, result.Finding{State: term.Frozen, Class: term.Violation, Via: term.New})
	e := EvidenceOf(&r.plan, r.result, r.ledger)
	r.result.Findings[0].State = term.Undecodable
	gates := EvidenceOf(&r.plan, r.result, r.ledger)
	rows := Rows(r.rows, []Lap{{Lap: term.DefaultLap, Objects: r.objects, Evidence: []Evidence{e}}, {Lap: term.GatesLap, Objects: r.objects, Evidence: []Evidence{gates}}})
	laps := map[term.Fate]term.Lap{}
	for _, row := range rows {
		if row.Difference.Difference == term.BehaviourChanged {
			laps[row.Verdict] = row.Lap
		}
	}
	assert.Equal(t, map[term.Fate]term.Lap{term.FateFrozen: term.DefaultLap, term.FateUndecodable: term.GatesLap}, laps)
}

// TestGenerationOfAKind: that a release does not count the changes of a kind's spec is a row of its own,
// whichever object shows it, and nothing of the difference that the object is for.
func TestGenerationOfAKind(t *testing.T) {
	r := aRun()
	r.finding(theObject, result.Finding{Path: ".metadata.generation", State: term.Varies, Class: term.Impact, Rule: term.Rule2, Via: term.Old, Generation: term.Unmoved})
	rows := r.judged()
	require.Len(t, rows, 2)
	assert.Equal(t, term.BehaviourChanged, rows[0].Difference.Difference)
	assert.Equal(t, ".metadata.generation", rows[0].Path)
	assert.Equal(t, r.objects[theObject].Target.ID, rows[0].Object)
	assert.Equal(t, term.FateKept, rows[1].Verdict)
	assert.Empty(t, rows[1].Notes)
}

// TestRuleOfBaselines: what baselines show of a rule of the whole object is the rule's row, where dry runs
// show less. A rule of another kind's objects has none of it.
func TestRuleOfBaselines(t *testing.T) {
	r := aRun()
	r.finding(theBaseline, result.Finding{State: term.Frozen, Class: term.Violation, Via: term.New})
	of := r.objects[theBaseline].Target
	row := func(kind string) Row {
		d := diff.Difference{Difference: term.RuleTightened, Kind: kind, Playable: true}
		d.Group, d.Version = identity.CutAPIVersion(of.APIVersion)
		return Row{ID: kind, Difference: d}
	}
	lap := Lap{Lap: term.DefaultLap, Objects: r.objects, Evidence: []Evidence{EvidenceOf(&r.plan, r.result, r.ledger)}}
	lap.Rules = map[string]rules.Result{of.Kind: {Sent: 1, BothAccept: 1}, "Another": {Sent: 1, BothAccept: 1}}
	verdicts := map[string]term.Fate{}
	for _, shown := range Rows([]Row{row(of.Kind), row("Another")}, []Lap{lap}) {
		verdicts[shown.ID] = shown.Verdict
	}
	assert.Equal(t, term.FateFrozen, verdicts[of.Kind])
	assert.Equal(t, term.FateKept, verdicts["Another"])
}
