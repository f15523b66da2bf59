package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// control adds a control copy of the baseline, which a step of the first stage writes in another version, and
// what was found there.
func (r *recorded) control(in string, found ...result.Finding) {
	const number, name = 101, "control-001"
	object := r.objects[theBaseline].Target.ID
	write := plan.Step{Number: number, Action: plan.Operate, Verb: term.Put, Client: term.Dynamic, ViaRole: term.Old, Object: object, Copy: name, APIVersion: in, Change: &plan.Change{Kind: plan.Label}}
	r.plan.Stages = append(r.plan.Stages, plan.Stage{Name: StageOld, Steps: []plan.Step{write}})
	r.ledger.Copies = append(r.ledger.Copies, result.CopyLedger{Copy: name, Object: object, Role: term.Control, Rows: []result.Row{{Step: number, Requests: []result.Request{{Code: 200}}}}})
	for _, f := range found {
		f.Object, f.Copy, f.CopyRole, f.Step, f.Stage, f.Via, f.Verb, f.Client = object, name, term.Control, number, StageOld, term.Old, term.Put, term.Dynamic
		r.result.Findings = append(r.result.Findings, f)
	}
}

// writesIn has the write of an object's copy use another version.
func (r *recorded) writesIn(object int, in string) {
	for i, s := range r.plan.Stages[0].Steps {
		if s.Object == r.objects[object].Target.ID && !s.Birth {
			r.plan.Stages[0].Steps[i].APIVersion = in
		}
	}
}

// lostIn is the finding that a conversion loses a field.
func lostIn(at string) result.Finding {
	return result.Finding{Path: at, Outcome: term.Lost, Cause: term.Converted, Class: term.Violation, Rule: term.Rule4, AcknowledgedStep: 1, Via: term.New, Verb: term.Put, Client: term.Dynamic, Stage: StageMixed}
}

// TestPreExisting: what the old release alone loses before the upgrade is pre-existing, and fails nothing. What
// it keeps then, loses otherwise, or loses in another version, begins with the new release.
func TestPreExisting(t *testing.T) {
	changed := func(to string) result.Finding {
		f := lostIn(".spec.y")
		f.Outcome, f.After = term.Changed, to
		return f
	}
	for name, c := range map[string]struct {
		before    []result.Finding // on the control
		beforeIn  string
		now       result.Finding
		wantOld   bool
		isFailing bool
	}{
		"both lose it":                          {[]result.Finding{lostIn(".spec.y")}, "v2", lostIn(".spec.y"), true, false},
		"the old one loses all around it":       {[]result.Finding{lostIn(".spec")}, "v2", lostIn(".spec.y"), true, false},
		"the old one keeps it":                  {nil, "v2", lostIn(".spec.y"), false, true},
		"the old one loses another field":       {[]result.Finding{lostIn(".spec.z")}, "v2", lostIn(".spec.y"), false, true},
		"the old one loses a part of it":        {[]result.Finding{lostIn(".spec.y.z")}, "v2", lostIn(".spec.y"), false, true},
		"the old one loses it in another write": {[]result.Finding{lostIn(".spec.y")}, "v3", lostIn(".spec.y"), false, true},
		"both change it alike":                  {[]result.Finding{changed("b")}, "v2", changed("b"), true, false},
		"both change it, to other values":       {[]result.Finding{changed("a")}, "v2", changed("b"), false, true},
		"the old one only changes it":           {[]result.Finding{changed("a")}, "v2", lostIn(".spec.y"), false, true},
	} {
		r := aRun()
		r.writesIn(theBaseline, "v2")
		r.control(c.beforeIn, c.before...)
		r.finding(theBaseline, c.now)
		rows := r.judged()
		i := indexOf(rows, ".spec.y", term.Lost.By(term.NewRelease), term.Changed.Effect())
		if !assert.GreaterOrEqual(t, i, 0, name) {
			continue
		}
		assert.Equal(t, c.wantOld, rows[i].PreExisting, name)
		gate := Gate{Level: term.Changed.Effect(), AllowImpacts: true}
		assert.Equal(t, c.isFailing, gate.fails(rows[i]), name)
		assert.Equal(t, !c.wantOld, totals(rows).Default[rows[i].Effect.String()] > 0, name)
	}
}

// indexOf returns the number of the row of a field with one of the verdicts.
func indexOf(rows []Row, at string, verdicts ...term.Effect) int {
	for i, r := range rows {
		for _, v := range verdicts {
			if r.Path == at && r.Effect == v {
				return i
			}
		}
	}
	return -1
}

// TestPreExistingOfNewField: a new field that is added to one version is lost in the others, as the old fields
// were that only this version had. It begins with the new release if the versions were the same before, or if
// the new release adds the field to both.
func TestPreExistingOfNewField(t *testing.T) {
	for name, c := range map[string]struct {
		before  []result.Finding
		inBoth  bool
		wantOld bool
	}{
		"other fields of the version were lost": {[]result.Finding{lostIn(".spec.y")}, false, true},
		"the versions were the same":            {nil, false, false},
		"the new release adds it to both":       {[]result.Finding{lostIn(".spec.y")}, true, false},
	} {
		r := aRun()
		r.writesIn(theObject, "v2")
		r.control("v2", c.before...)
		r.finding(theObject, lostIn(valueRow))
		blame.AddActors(nil, r.result.Findings)
		own := Lap{Lap: term.DefaultLap, Objects: r.objects, Evidence: []Evidence{EvidenceOf(&r.plan, r.result, r.ledger)}}
		if c.inBoth {
			own.Scope.Whole = []diff.Difference{{Difference: term.FieldAdded, Version: "v2", Kind: "Thing", Path: valueRow, Places: []diff.Place{{APIVersion: "v2", Kind: "Thing", Path: valueRow}}, Playable: true}}
		}
		rows := Rows(r.rows, []Lap{own})
		i := indexOf(rows, valueRow, term.Lost.By(term.NewRelease))
		if assert.GreaterOrEqual(t, i, 0, name) {
			assert.Equal(t, c.wantOld, rows[i].PreExisting, name)
		}
	}
}

// TestPreExistingBeside: what begins with the new release decides the verdict, and what was there before is in
// its cells.
func TestPreExistingBeside(t *testing.T) {
	old, began := Cell{Effect: term.Undecodable.Effect(), Class: term.Violation, PreExisting: true}, Cell{Effect: term.Refused.Effect(), Class: term.Violation}
	o := LapResult{Exercised: true, Cells: []Cell{old, began, {Effect: term.Kept.Effect()}}}
	(&book{}).decide(&o, nil)
	assert.Equal(t, []any{term.Refused.Effect(), false, 1}, []any{o.Effect, o.PreExisting, o.Broken})
	assert.False(t, Gate{Level: term.Lost.By(term.NewRelease), AllowImpacts: true}.fails(Row{LapResult: o}))
	o = LapResult{Exercised: true, Cells: []Cell{old, {Effect: term.Kept.Effect()}}}
	(&book{}).decide(&o, nil)
	assert.Equal(t, []any{term.Undecodable.Effect(), true}, []any{o.Effect, o.PreExisting})
}

// TestTotalsAddUp: what is exercised, what is not, and what is listed only are all differences; each reason has
// its number. What only servers show is apart.
func TestTotalsAddUp(t *testing.T) {
	row := func(k term.DifferenceKind, playable bool, verdict term.Effect, reason string) Row {
		r := groupRow(k, "v1", "Plan", ".spec."+reason, "", verdict)
		r.Playable, r.Reason, r.Laps = playable, reason, []LapResult{{Lap: term.DefaultLap, Effect: verdict, Reason: reason}}
		r.conclude()
		return r
	}
	n := totals([]Row{
		row(term.FieldAdded, true, term.Kept.Effect(), ""), row(term.FieldAdded, true, term.Frozen.Effect(), ""), row(term.RuleTightened, true, term.Refused.Effect(), ""),
		row(term.RuleTightened, true, term.NotExercised.Effect(), "no value was found: both accept 2 of 2"), row(term.RuleTightened, true, term.NotExercised.Effect(), "no value was found: both accept 3 of 3"),
		row(term.RuleTightened, true, term.NotExercised.Effect(), "3 of 10 values got no answer"), row(term.ColumnsChanged, false, term.NotExercised.Effect(), "listed only"),
		row(term.BehaviourChanged, true, term.Lost.By(term.NewRelease), ""),
	})
	assert.Equal(t, []int{7, 3, 3, 1, 1}, []int{n.Differences, n.Exercised, n.NotExercised, n.Listed, n.Shown})
	var told []int
	for _, reason := range n.Reasons {
		told = append(told, reason.Rows)
	}
	assert.Equal(t, []int{2, 1}, told)
	assert.Equal(t, "n of n values got no answer", n.Reasons[1].Reason)
}

// TestSameRefusal: a refusal before the upgrade is the same as a later one if it lists its errors, whatever the
// elements and values are.
func TestSameRefusal(t *testing.T) {
	refused := func(causes ...result.StatusCause) result.Finding {
		return result.Finding{Outcome: term.Refused, Cause: term.NotRatcheted, Verb: term.StatusPut, StatusCauses: causes}
	}
	missing := func(at string) result.StatusCause {
		return result.StatusCause{Field: at, Reason: "FieldValueRequired", Message: "Required value"}
	}
	invalid := func(v, words string) result.StatusCause {
		return result.StatusCause{Field: "status.conditions[0].reason", Reason: "FieldValueInvalid", Message: "Invalid value: " + v + ": " + words}
	}
	unchecked := result.StatusCause{Field: "<nil>", Reason: "FieldValueInvalid", Message: "Invalid value: null: some validation rules were not checked because the object was invalid"}
	kind, since := missing("status.conditions[0].type"), missing("status.conditions[0].lastTransitionTime")
	for name, c := range map[string]struct {
		before, now result.Finding
		want        bool
	}{
		"the same":                   {refused(since), refused(since), true},
		"of another element":         {refused(missing("status.conditions[3].type")), refused(kind), true},
		"more errors before":         {refused(kind, since), refused(since, unchecked), true},
		"an error more now":          {refused(kind), refused(kind, since), false},
		"another error":              {refused(kind, unchecked), refused(since, unchecked), false},
		"another value":              {refused(invalid(`"a: b"`, "should match '^x$'")), refused(invalid(`"c"`, "should match '^x$'")), true},
		"another rule":               {refused(invalid(`"a"`, "should match '^x$'")), refused(invalid(`"a"`, "should match '^y$'")), false},
		"a message that has no list": {refused(), refused(), true},
	} {
		assert.Equal(t, c.want, earlier{Finding: c.before}.isSame(c.now), name)
	}
}
