package sweep

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// refusedHere is a call that a release refused and the scenario declared as a success.
var refusedHere = result.Finding{Outcome: term.Refused, Class: term.Violation, Rule: "rule-1", Via: term.Old, Client: term.Dynamic, Message: "refused"}

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
					assert.Equal(t, term.NotExercised.Effect(), rows[0].Effect)
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
		id := r.objects[theObject].Target.ID + OfferedSuffix
		offer := plan.Step{Number: 9, Action: plan.Operate, Verb: term.Create, Client: term.Dynamic, ViaRole: term.Old, Object: id, Copy: id + "-treated-001", Birth: true}
		r.plan.Stages[0].Steps = append(r.plan.Stages[0].Steps, offer)
		r.ledger.Copies = append(r.ledger.Copies, result.CopyLedger{Copy: offer.Copy, Object: id, Role: term.Treated, Rows: []result.Row{
			{Step: 9, Requests: []result.Request{{Code: 422}}},
		}})
		rows := r.judged()
		require.Len(t, rows, 1)
		if accepted {
			assert.Len(t, rows[0].Cells, 1, "the merge patch")
			assert.Equal(t, term.Kept.Effect(), rows[0].Effect)
			continue
		}
		assert.Len(t, rows[0].Cells, 2)
		assert.Equal(t, term.Refused.Effect(), rows[0].Effect)
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
// other one. What the other release refuses does, and so does what else is refused of the object.
func TestPartWithout(t *testing.T) {
	put := func(role term.Role, part string, fields map[string]any) plan.Step {
		return plan.Step{Verb: term.Put, ViaRole: role, Subresource: part, Change: &plan.Change{Kind: plan.Fields, Fields: fields}}
	}
	phase := map[string]any{".status.phase": "sample"}
	label := put(term.Old, term.StatusPart, phase)
	label.Change = &plan.Change{Kind: plan.Label, Fields: phase}
	for name, c := range map[string]struct {
		step    plan.Step
		code    int
		without string
		is      bool
	}{
		"refused by its own release":  {put(term.Old, term.StatusPart, phase), 422, "type", true},
		"with the lowest code":        {put(term.Old, term.StatusPart, phase), 400, "type", true},
		"refused by the other one":    {put(term.New, term.StatusPart, phase), 422, "type", false},
		"accepted":                    {put(term.Old, term.StatusPart, phase), 200, "type", false},
		"redirected":                  {put(term.Old, term.StatusPart, phase), 399, "type", false},
		"a server that failed":        {put(term.Old, term.StatusPart, phase), 500, "type", false},
		"not answered":                {put(term.Old, term.StatusPart, phase), 0, "type", false},
		"an object with all fields":   {put(term.Old, term.StatusPart, phase), 422, "", false},
		"the object itself":           {put(term.Old, "", phase), 422, "type", false},
		"another value of the status": {put(term.Old, term.StatusPart, map[string]any{".status.phase": "other"}), 422, "type", false},
		"a label":                     {label, 422, "type", false},
	} {
		o := Object{Target: Target{Rows: []string{"row"}, Release: term.Old, Without: c.without}}
		o.Target.ID = "thing"
		o.Specimen.Subresource, o.Specimen.Held = term.StatusPart, ".status"
		o.Specimen.Object = map[string]any{"status": map[string]any{"phase": "sample"}}
		if c.without != "" {
			o.Specimen.Object["status"].(map[string]any)[c.without] = "sample"
		}
		e := Evidence{Copies: map[string]copyEvidence{"thing-001": {object: "thing", writes: []write{{Step: c.step, code: c.code, message: "status.type: Required value"}}}}}
		assert.Equal(t, c.is, besides(o, e, "") != "", name)
	}
}

// TestWhyDeleted: a deletion is put down to the value only if the kind's object without it stayed; that
// there is no such object is a reason of its own.
func TestWhyDeleted(t *testing.T) {
	const stayed = "stayed"
	object := Object{Target: Target{Rows: []string{"row"}}}
	stays, goes := Evidence{Copies: map[string]copyEvidence{"plain-1": {object: "plain"}, "plain-2": {object: "plain"}}}, Evidence{}
	goes.Copies, goes.Deleted = stays.Copies, map[string]bool{"plain-2": true}
	other := Evidence{Copies: stays.Copies, Deleted: map[string]bool{"thing-001": true}}
	none := Evidence{Copies: map[string]copyEvidence{"thing-001": {object: "thing"}}, Deleted: other.Deleted}
	reasons := map[string]bool{}
	for _, c := range []struct {
		of     Object
		e      Evidence
		stayed bool
	}{{object, stays, true}, {object, other, true}, {object, goes, false}, {object, none, false}, {Object{}, stays, false}} {
		words := whyDeleted(c.of, c.e, "plain")
		assert.Equal(t, c.stayed, strings.Contains(words, stayed), words)
		reasons[words] = true
	}
	assert.Len(t, reasons, 4)
	r := aRun()
	e := EvidenceOf(&r.plan, r.result, r.ledger)
	name := r.ledger.Copies[theObject].Copy
	e.Deleted = map[string]bool{name: true}
	row := Rows(r.rows, []Lap{{Lap: term.DefaultLap, Objects: r.objects, Evidence: []Evidence{e}}})[0]
	assert.Equal(t, term.NotExercised.Effect(), row.Effect)
	assert.Contains(t, row.Reason, name)
	assert.Contains(t, row.Reason, stayed)
}

// TestIsBeside: a copy is set aside only if the other release accepted the object alone, and refuses its
// creation for another reason than what the client asked it to refuse.
func TestIsBeside(t *testing.T) {
	for name, c := range map[string]struct {
		accepts, birth bool
		via            term.Role
		validation     term.FieldValidation
		code           int
		is             bool
	}{
		"refused":               {true, true, term.New, term.Ignore, 409, true},
		"refused alone too":     {false, true, term.New, term.Ignore, 409, false},
		"a write":               {true, false, term.New, term.Ignore, 409, false},
		"by its own release":    {true, true, term.Old, term.Ignore, 409, false},
		"unknown field":         {true, true, term.New, term.Strict, 400, false},
		"accepted":              {true, true, term.New, term.Ignore, 201, false},
		"a server that crashed": {true, true, term.New, term.Ignore, 500, false},
	} {
		p := playedOf(Object{Target: Target{Release: term.Old}, OtherAccepts: c.accepts})
		w := write{Step: plan.Step{Birth: c.birth, ViaRole: c.via, FieldValidation: c.validation}, code: c.code}
		assert.Equal(t, c.is, p.isBeside(copyEvidence{writes: []write{w}}), name)
	}
}

// TestDisturbed: each kind whose baseline has no outcome is named once, in order, and objects of differences
// are not: their rows say it.
func TestDisturbed(t *testing.T) {
	object := func(kind, name string, rows ...string) (o Object) {
		o.Target.APIVersion, o.Target.Kind, o.Target.ID, o.Target.Rows = "v1", kind, name, rows
		return o
	}
	objects := []Object{object("Zebra", "zebra"), object("Ant", "ant"), object("Row", "row", "a row"), object("Calm", "calm")}
	e := Evidence{Copies: map[string]copyEvidence{}, Deleted: map[string]bool{"zebra-1": true, "ant-1": true, "row-1": true}}
	for _, o := range objects {
		e.Copies[o.Target.ID+"-1"] = copyEvidence{object: o.Target.ID}
	}
	lap := Lap{Lap: term.DefaultLap, Objects: objects, Evidence: []Evidence{e}}
	notes := Disturbed([]Lap{lap, lap})
	require.Len(t, notes, 2)
	assert.Contains(t, notes[0], "v1 Ant")
	assert.Contains(t, notes[1], "v1 Zebra")
}
