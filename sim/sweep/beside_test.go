package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/sweep/lines"
)

// refusedHere is a call that a release refused and the scenario declared as a success.
var refusedHere = result.Finding{State: term.Refused, Class: term.Violation, Rule: "rule-1", Via: term.Old, Client: term.Dynamic, Message: "refused"}

// TestBeside: what a server of the object's own release refuses, which has accepted it alone, is not
// the release's doing: for a baseline there is no row, and a row of its own is not exercised. A write
// that is refused is.
func TestBeside(t *testing.T) {
	for object, name := range []string{theObject: "object", theBaseline: "baseline"} {
		for i, step := range []string{"birth", "write"} {
			t.Run(name+" "+step, func(t *testing.T) {
				r := aRun()
				r.ledger.Copies[object].Rows[i].Requests[0] = result.Request{Code: 403, Message: "there is one"}
				f := refusedHere
				f.Step = 2*object + 1 + i
				r.finding(object, f)
				rows := r.judged()
				broken := 0
				for _, row := range rows {
					for _, o := range row.Laps {
						broken += o.Broken
					}
				}
				assert.Equal(t, i, broken)
				if object == theObject && i == 0 {
					require.Len(t, rows, 1)
					assert.Equal(t, term.FateNotExercised, rows[0].Verdict)
					assert.Contains(t, rows[0].Reason, "there is one")
				}
			})
		}
	}
}

// TestOfferedBeside: the same holds for what the other release is offered.
func TestOfferedBeside(t *testing.T) {
	for _, accepted := range []bool{false, true} {
		r := aRun()
		r.objects[theObject].OtherAccepts = accepted
		id := r.objects[theObject].Target.ID + lines.OfferedSuffix
		offer := plan.Step{Number: 9, Action: plan.Operate, Verb: term.Create, Client: term.Dynamic, ViaRole: term.Old, Object: id, Copy: id + "-treated-001", Birth: true}
		r.plan.Stages[0].Steps = append(r.plan.Stages[0].Steps, offer)
		r.ledger.Copies = append(r.ledger.Copies, result.CopyLedger{Copy: offer.Copy, Object: id, Role: term.Treated, Rows: []result.Row{
			{Step: 9, Requests: []result.Request{{Code: 422}}},
		}})
		rows := r.judged()
		require.Len(t, rows, 1)
		if accepted {
			assert.Len(t, rows[0].Cells, 1, "the merge patch")
			assert.Equal(t, term.FateKept, rows[0].Verdict)
			continue
		}
		assert.Len(t, rows[0].Cells, 2)
		assert.Equal(t, term.FateRefused, rows[0].Verdict)
	}
}

// TestDeleted: an object that a server deletes is not refused, or lost, for what it holds.
func TestDeleted(t *testing.T) {
	for _, deleted := range []bool{false, true} {
		r := aRun()
		f := refusedHere
		f.Step = r.ledger.Copies[theBaseline].Rows[1].Step
		r.finding(theBaseline, f)
		e := EvidenceOf(&r.plan, r.result, r.ledger)
		e.Deleted = map[string]bool{r.ledger.Copies[theBaseline].Copy: deleted}
		laps := []Lap{{Lap: term.DefaultLap, Objects: r.objects, Evidence: []Evidence{e}}}
		broken := 0
		for _, row := range Rows(r.rows, laps) {
			for _, o := range row.Laps {
				broken += o.Broken
			}
		}
		assert.Equal(t, !deleted, broken > 0)
		assert.Equal(t, deleted, len(Disturbed(laps)) == 1)
	}
}

// TestPartWithout: an object whose own release refuses its status without the field says nothing of the
// other one; what the other release refuses does.
func TestPartWithout(t *testing.T) {
	o := Object{Target: Target{Rows: []string{"row"}, Release: term.Old, Without: "type"}}
	o.Target.ID = "thing"
	o.Specimen.Subresource, o.Specimen.Held = term.StatusPart, ".status"
	o.Specimen.Object = map[string]any{"status": map[string]any{"phase": "sample", "type": "sample"}}
	for _, role := range []term.Role{term.Old, term.New} {
		step := plan.Step{Verb: term.Put, ViaRole: role, Subresource: term.StatusPart, Change: &plan.Change{Kind: plan.Fields, Fields: map[string]any{".status.phase": "sample"}}}
		e := Evidence{Copies: map[string]copyEvidence{"thing-001": {object: "thing", writes: []write{{Step: step, code: 422, message: "status.type: Required value"}}}}}
		assert.Equal(t, role == term.Old, besides(o, e, "") != "", role)
	}
}

// TestWhyDeleted: that servers delete all objects of a kind, or only the one with the value, are two
// reasons, and both name the copy.
func TestWhyDeleted(t *testing.T) {
	reasons := map[string]bool{}
	for _, all := range []bool{false, true} {
		r := aRun()
		e := EvidenceOf(&r.plan, r.result, r.ledger)
		name := r.ledger.Copies[theObject].Copy
		e.Deleted = map[string]bool{name: true, r.ledger.Copies[theBaseline].Copy: all}
		row := Rows(r.rows, []Lap{{Lap: term.DefaultLap, Objects: r.objects, Evidence: []Evidence{e}}})[0]
		assert.Equal(t, term.FateNotExercised, row.Verdict)
		assert.Contains(t, row.Reason, name)
		reasons[row.Reason] = true
	}
	assert.Len(t, reasons, 2)
}
