package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
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
