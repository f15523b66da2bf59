package sweep

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// TestWriteZero: a zero that the object's own release refuses is not sent by the scenario that is
// written, and the refusal is not expected: a field that cannot be changed says nothing of the
// releases. A zero that is accepted stays.
func TestWriteZero(t *testing.T) {
	for name, c := range map[string]struct{ code, findings, lines int }{
		"refused":  {422, 1, 0},
		"accepted": {200, 2, 1},
	} {
		r := aRun()
		r.objects[theObject].Specimen.Object["spec"] = map[string]any{"x": int64(5)}
		r.finding(theObject, lostHere)
		own := r.objects[theObject].Target
		step := plan.Step{Number: 10, Action: plan.Operate, Verb: term.Put, Client: term.Dynamic, ViaRole: own.Release, Object: own.ID, Copy: own.ID + "-treated-002", Change: &plan.Change{Kind: plan.Fields, Fields: map[string]any{valueRow: 0}}}
		r.plan.Stages[0].Steps = append(r.plan.Stages[0].Steps, step)
		r.ledger.Copies = append(r.ledger.Copies, result.CopyLedger{Copy: step.Copy, Object: own.ID, Role: term.Treated, Rows: []result.Row{{Step: 10, Requests: []result.Request{{Code: c.code}}}}})
		r.result.Findings = append(r.result.Findings, result.Finding{Check: term.CheckAnswers, Object: own.ID, Copy: step.Copy, Step: 10, Outcome: term.Refused, Class: term.Violation})
		lap := Lap{Lap: term.DefaultLap, Settings: settings("frobber"), Objects: r.objects, Evidence: []Evidence{EvidenceOf(&r.plan, r.result, r.ledger)}}
		var got []result.Finding
		g, err := Write(Rows(r.rows, []Lap{lap})[0], lap, func(all []result.Finding, _ bool) []scenarios.Expectation {
			got = all
			return nil
		})
		require.NoError(t, err)
		assert.Len(t, got, c.findings, name)
		zeros := slices.DeleteFunc(slices.Clone(g.Scenario.Play), func(l scenarios.Line) bool { return len(l.Fields) == 0 })
		assert.Len(t, zeros, c.lines, name)
	}
}
