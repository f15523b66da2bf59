package sweep

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// recorded is a run of two objects: one that holds .spec.x, and the baseline of its kind.
type recorded struct {
	rows    []Row
	objects []Object
	plan    plan.Plan
	result  result.Result
	ledger  result.Ledger
}

const valueRow = ".spec.x"

// aRun is a run in which one copy of the object meets a merge patch through the old release,
// and nothing is found.
func aRun() *recorded {
	d := diff.Difference{Difference: term.FieldAdded, Version: "v1", Kind: "Thing", Type: "ThingSpec", Path: valueRow, Playable: true}
	r := &recorded{rows: differences(diff.Result{Differences: []diff.Difference{d}}, Scope{})}
	stage := plan.Stage{Name: StageMixed}
	number := 0
	for _, t := range Targets(r.rows, term.DefaultLap, Options{}) {
		s := try.Specimen{Target: t.Target, Held: t.Path, Answered: 1, Object: map[string]any{"apiVersion": "v1", "kind": "Thing"}}
		r.objects = append(r.objects, Object{Target: t, Specimen: s})
		name := t.ID + "-treated-001"
		number += 2
		birth := plan.Step{Number: number - 1, Action: plan.Operate, Verb: term.Create, Client: term.Dynamic, ViaRole: t.Release, Object: t.ID, Copy: name, Birth: true}
		write := plan.Step{Number: number, Action: plan.Operate, Verb: term.MergePatch, Client: term.Dynamic, ViaRole: t.Release.Other(), Object: t.ID, Copy: name, Change: &plan.Change{Kind: plan.Label}}
		stage.Steps = append(stage.Steps, birth, write)
		fields := []result.Field{{Path: ".spec.y", Step: birth.Number, Outcome: term.Kept}}
		if t.Path == valueRow {
			fields = append(fields, result.Field{Path: valueRow, Step: birth.Number, Outcome: term.Kept})
		}
		r.ledger.Copies = append(r.ledger.Copies, result.CopyLedger{Copy: name, Object: t.ID, Role: term.Treated, Fields: fields, Rows: []result.Row{
			{Step: birth.Number, Requests: []result.Request{{Code: 201}}, Stored: &result.Stored{Revision: 1}}, {Step: write.Number, Requests: []result.Request{{Code: 200}}},
		}})
	}
	r.plan.Stages = []plan.Stage{stage}
	return r
}

// finding adds a finding on the copy of the object, or of the baseline.
func (r *recorded) finding(object int, f result.Finding) {
	f.Object = r.objects[object].Target.ID
	f.Copy = f.Object + "-treated-001"
	if f.Step == 0 {
		f.Step = 2 * (object + 1)
	}
	r.result.Findings = append(r.result.Findings, f)
}

func (r *recorded) judged() []Row {
	blame.AddActors(nil, r.result.Findings)
	e := EvidenceOf(&r.plan, r.result, r.ledger)
	e.Run = "default"
	var whole []diff.Difference
	for _, row := range r.rows {
		whole = append(whole, row.Difference)
	}
	return Rows(r.rows, []Lap{{Lap: term.DefaultLap, Scope: Scope{Whole: whole}, Objects: r.objects, Evidence: []Evidence{e}}})
}

const (
	theObject   = 0
	theBaseline = 1
)

var lostHere = result.Finding{Path: valueRow, Outcome: term.Lost, Cause: term.UnknownField, Class: term.Impact, Via: term.Old, Verb: term.MergePatch, Client: term.Dynamic, Message: "lost"}

func TestRowKept(t *testing.T) {
	rows := aRun().judged()
	require.Len(t, rows, 1)
	assert.Equal(t, term.Kept.Effect(), rows[0].Effect)
	assert.True(t, rows[0].Exercised)
	require.Len(t, rows[0].Cells, 1)
	assert.Equal(t, 2, rows[0].Cells[0].Step)
}

// TestRunEndedEarly: an object counts as played once a server answered a write of it, and as
// exercised once the other release met it.
func TestRunEndedEarly(t *testing.T) {
	for name, c := range map[string]struct {
		answered          int // requests on each copy
		played, exercised bool
	}{
		"before the objects":     {0, false, false},
		"after the objects":      {1, true, false},
		"after the first writes": {2, true, true},
	} {
		r := aRun()
		for i := range r.ledger.Copies {
			own := &r.ledger.Copies[i]
			own.Rows = own.Rows[:c.answered]
			if c.answered == 0 {
				own.Fields = nil
			}
		}
		e := EvidenceOf(&r.plan, r.result, r.ledger)
		e.Run, e.IsPart = "default", true
		laps := []Lap{{Lap: term.DefaultLap, Objects: r.objects, Evidence: []Evidence{e}}}
		got := Summarize(Result{Rows: Rows(r.rows, laps)}, laps)
		require.Len(t, got.Rows, 1, name)
		assert.Equal(t, c.exercised, got.Rows[0].Exercised, name)
		assert.Equal(t, Totals{Differences: 1, Playable: 1, Played: count(c.played), Exercised: count(c.exercised)}, Totals{Differences: got.Totals.Differences, Playable: got.Totals.Playable, Played: got.Totals.Played, Exercised: got.Totals.Exercised}, name)
		assert.Equal(t, c.played, got.Laps[0].Objects > 0, name)
		if !c.exercised {
			assert.Equal(t, term.NotExercised.Effect(), got.Rows[0].Effect, name)
		}
	}
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func TestRowLost(t *testing.T) {
	r := aRun()
	r.finding(theObject, lostHere)
	changed := lostHere
	changed.Outcome, changed.Cause = term.Changed, term.Defaulted
	r.finding(theObject, changed)
	rows := r.judged()
	require.Len(t, rows, 1)
	assert.Equal(t, term.Lost.By(term.OldServer), rows[0].Effect)
	assert.Equal(t, term.Impact, rows[0].Class)
	assert.Zero(t, rows[0].Broken)
	assert.Len(t, rows[0].Cells, 1, "the loss and the default in its place are one write's")
	assert.True(t, rows[0].Exercised)
	assert.Contains(t, rows[0].History, "default/report.html#step-2/")
}

// TestOtherValue: a finding on another value of the object is a note, unless a server dropped
// the element that holds both.
func TestOtherValue(t *testing.T) {
	other := lostHere
	other.Path = ".spec.y"
	r := aRun()
	r.finding(theObject, other)
	row := r.judged()[0]
	assert.Equal(t, term.Kept.Effect(), row.Effect)
	assert.Len(t, row.Notes, 1)

	other.Cause = term.ElementGone
	r = aRun()
	r.finding(theObject, other)
	assert.Equal(t, term.Lost.By(term.OldServer), r.judged()[0].Effect)
}

// TestWholeObject: a frozen object is the row's, unless each object of the kind is frozen.
func TestWholeObject(t *testing.T) {
	frozen := result.Finding{Outcome: term.Frozen, Class: term.Violation, Via: term.New}
	r := aRun()
	r.finding(theObject, frozen)
	row := r.judged()[0]
	assert.Equal(t, term.Frozen.Effect(), row.Effect)
	assert.Equal(t, term.Violation, row.Class)

	r = aRun()
	r.finding(theObject, frozen)
	r.finding(theBaseline, frozen)
	rows := r.judged()
	require.Len(t, rows, 2)
	assert.Equal(t, term.BehaviourChanged, rows[0].Difference.Difference)
	assert.Equal(t, term.Frozen.Effect(), rows[0].Effect)
	assert.Equal(t, term.Kept.Effect(), rows[1].Effect, "the field is not the reason")
}

// TestBaselineAtTheField: what happens to objects without the value, at its very field, is the
// row's.
func TestBaselineAtTheField(t *testing.T) {
	r := aRun()
	r.finding(theBaseline, result.Finding{Path: valueRow, Outcome: term.Changed, Cause: term.Defaulted, Class: term.Violation, Via: term.New, Message: "another default"})
	rows := r.judged()
	require.Len(t, rows, 1)
	assert.Equal(t, term.Changed.Effect(), rows[0].Effect)
	assert.Equal(t, "another default", rows[0].Reason)
}

// TestRequiredExplainsNothingWithin: that a struct is required says nothing of the values in it.
func TestRequiredExplainsNothingWithin(t *testing.T) {
	within := result.Finding{Path: valueRow + ".y", Outcome: term.Changed, Class: term.Violation, Via: term.New}
	for kind, rows := range map[term.DifferenceKind]int{term.FieldAdded: 1, term.RequiredRemoved: 2} {
		r := aRun()
		r.rows[0].Difference.Difference = kind
		r.finding(theBaseline, within)
		assert.Len(t, r.judged(), rows, kind)
	}
}

// TestConditionRefused: a condition that a kind does not take says nothing of the object, and a
// label that is refused does.
func TestConditionRefused(t *testing.T) {
	for change, fate := range map[plan.ChangeKind]term.Effect{plan.Condition: term.NotExercised.Effect(), plan.Label: term.Frozen.Effect()} {
		r := aRun()
		r.plan.Stages[0].Steps[1].Change = &plan.Change{Kind: change}
		r.ledger.Copies[0].Rows[1].Requests[0].Code = 422
		r.finding(theObject, result.Finding{Outcome: term.Refused, Verb: term.Put, Client: term.Dynamic, Class: term.Violation, Via: term.Old})
		assert.Equal(t, fate, r.judged()[0].Effect, change)
	}
}

// TestStrict: a refusal that a client asks for with Strict breaks no rule; without Strict it does.
func TestStrict(t *testing.T) {
	for validation, broken := range map[term.FieldValidation]int{term.Strict: 0, term.Warn: 1} {
		r := aRun()
		step := &r.plan.Stages[0].Steps[1]
		step.Verb, step.Birth, step.FieldValidation = term.Create, true, validation
		r.finding(theObject, result.Finding{Outcome: term.Refused, Verb: term.Create, FieldValidation: validation, Class: term.Violation, Via: term.Old})
		assert.Equal(t, broken, r.judged()[0].Broken, validation)
	}
}

// TestZero: a zero that a success does not keep breaks a rule, and a zero that is refused says
// nothing.
func TestZero(t *testing.T) {
	r := aRun()
	step := &r.plan.Stages[0].Steps[1]
	step.Verb, step.ViaRole, step.Change = term.Put, term.New, &plan.Change{Kind: plan.Fields, Fields: map[string]any{valueRow: 0}}
	r.finding(theObject, result.Finding{Outcome: term.Refused, Verb: term.Put, Class: term.Violation, Via: term.New})
	assert.Equal(t, term.NotExercised.Effect(), r.judged()[0].Effect)

	r.finding(theObject, result.Finding{Path: valueRow, Outcome: term.Dropped, Class: term.Violation, Via: term.New})
	row := r.judged()[0]
	assert.Equal(t, term.Dropped.Effect(), row.Effect)
	assert.Equal(t, 1, row.Broken)
}

// TestNotExercised: without an object, without the value in the store, or without an answer
// through the other release, a row claims nothing.
func TestNotExercised(t *testing.T) {
	for name, change := range map[string]func(*recorded){
		"no object": func(r *recorded) {
			r.objects[theObject].Specimen = try.Specimen{Reason: "422 Unprocessable"}
			r.ledger.Copies = r.ledger.Copies[1:]
		},
		"never acknowledged": func(r *recorded) {
			r.ledger.Copies[0].Fields = r.ledger.Copies[0].Fields[:1]
			r.objects[0].Specimen.Answered = nil
		},
		"never stored": func(r *recorded) { r.ledger.Copies[0].Rows[0].Stored = nil },
		"no answer":    func(r *recorded) { r.ledger.Copies[0].Rows[1].Requests[0].Code = 503 },
	} {
		r := aRun()
		change(r)
		row := r.judged()[0]
		assert.False(t, row.Exercised, name)
		assert.Equal(t, term.NotExercised.Effect(), row.Effect, name)
		assert.NotEmpty(t, row.Reason, name)
	}
	r := aRun() // a refusal is an answer
	r.ledger.Copies[0].Rows[1].Requests[0].Code = 422
	row := r.judged()[0]
	assert.True(t, row.Exercised)
	assert.Equal(t, term.Refused.Effect(), row.Effect)
}

// TestSummary: the totals count what rows say, and the answer names what is lost, or what was
// exercised without a loss.
func TestSummary(t *testing.T) {
	r := aRun()
	kept := Summarize(Result{Rows: r.judged()}, nil)
	assert.Equal(t, Fraction{1, 1}, kept.Totals.AddedFields)
	assert.Equal(t, map[string]int{"kept": 1}, kept.Totals.Default)
	assert.Contains(t, kept.Answer, "nothing that was exercised")

	r.finding(theObject, lostHere)
	lost := Summarize(Result{Rows: r.judged()}, nil)
	assert.Equal(t, map[string]int{"lost:old-server": 1}, lost.Totals.Default)
	assert.Contains(t, lost.Answer, "Thing .spec.x")

	r = aRun()
	r.objects[theObject].Specimen.Object, r.ledger.Copies = nil, nil
	none := Summarize(Result{Rows: r.judged()}, nil)
	assert.Equal(t, Fraction{0, 1}, none.Totals.AddedFields)
	assert.NotContains(t, none.Answer, "nothing that was exercised")
}

// TestWrite: a row's scenario has the object of the row, no other, and expects its findings
// alone; a row without an object has no scenario.
func TestWrite(t *testing.T) {
	r := aRun()
	r.finding(theObject, lostHere)
	r.finding(theBaseline, result.Finding{Path: ".spec.y", Outcome: term.Changed, Class: term.Violation})
	e := EvidenceOf(&r.plan, r.result, r.ledger)
	lap := Lap{Lap: term.DefaultLap, Settings: settings("frobber"), Objects: r.objects, Evidence: []Evidence{e}}
	var got []result.Finding
	lines := func(all []result.Finding, several bool) []scenarios.Expectation {
		got = all
		assert.True(t, several, "the old release is offered the object too")
		return []scenarios.Expectation{{Check: term.CheckNothingLost, Outcome: scenarios.OneOf[term.Outcome]{term.Lost}}}
	}
	rows := Rows(r.rows, []Lap{lap})
	row := rows[slices.IndexFunc(rows, func(r Row) bool { return r.Path == valueRow })]
	g, err := Write(row, lap, lines)
	require.NoError(t, err)
	require.Len(t, got, 1)
	assert.Equal(t, valueRow, got[0].Path)
	assert.Len(t, g.Scenario.Objects, 2)
	assert.Equal(t, lines(nil, true)[0].Check, g.Scenario.Expect[0].Check)
	_, err = Write(Row{ID: "another"}, lap, lines)
	assert.ErrorIs(t, err, ErrNoObject)
}

// TestRefusedDefinition: a rollback that servers refuse is a cell of the rows about the kind and its
// versions, and a note on rows about its fields. The definition of another kind is neither.
func TestRefusedDefinition(t *testing.T) {
	refused := result.Finding{
		Check: term.CheckInstalls, Rule: term.RuleInstallable, Class: term.Violation, Defines: "Thing.example.dev",
		Outcome: term.Refused, Cause: term.BadVersion, Via: term.Old, Step: 9, Stage: "rolled-back", Message: "v2 must remain",
	}
	other := refused
	other.Defines = "Thing.example.org"
	whole := Row{Difference: diff.Difference{Group: "example.dev", Version: "v2", Kind: "Thing", Difference: term.StorageChanged}}
	field := whole
	field.Path = valueRow

	e := Evidence{Findings: []result.Finding{other, refused}}
	cells, notes := ofDefinition(e, whole)
	require.Len(t, cells, 1)
	assert.Equal(t, term.Refused.Effect(), cells[0].Effect)
	assert.Equal(t, "definition of the old release installed", cells[0].Write)
	assert.Equal(t, term.Violation, cells[0].Class)
	assert.Empty(t, notes)

	cells, notes = ofDefinition(e, field)
	assert.Empty(t, cells)
	assert.Equal(t, []string{"the definition of the old release was refused at rolled-back, so the definition before it stayed"}, notes)

	e.Findings = e.Findings[:1]
	cells, notes = ofDefinition(e, whole)
	assert.Empty(t, cells)
	assert.Empty(t, notes)
}

// TestExercised: a write by a client of the old release through the new server exercises nothing:
// the old release's server has to answer one.
func TestExercised(t *testing.T) {
	r := aRun()
	write := &r.plan.Stages[0].Steps[1]
	write.Verb, write.Client, write.ViaRole = term.Put, term.OldTyped, term.New
	row := r.judged()[0]
	assert.False(t, row.Exercised)
	assert.Equal(t, term.NotExercised.Effect(), row.Effect)
	write.ViaRole = term.Old
	assert.True(t, r.judged()[0].Exercised)
}

// TestSentAndGone: a value that a create sends, and that one release answers without, was dropped.
// One that it does not send was filled in by the other release.
func TestSentAndGone(t *testing.T) {
	gone := result.Finding{Step: 1, Path: valueRow, Outcome: term.Lost, Class: term.Violation, Via: term.New, Verb: term.Create}
	r := aRun()
	r.finding(theObject, gone)
	assert.Equal(t, term.Changed.Effect(), r.judged()[0].Effect)
	r.objects[theObject].Specimen.Object["spec"] = map[string]any{"x": "a"}
	assert.Equal(t, term.Dropped.Effect(), r.judged()[0].Effect)
}

// TestWithdrawn: clients of a version that went are played through the new release; of one that
// nobody used at default settings they are not.
func TestWithdrawn(t *testing.T) {
	d := diff.Difference{Difference: term.VersionRemoved, Group: "example.dev", Version: "v1", Kind: "Thing", Playable: true}
	for _, reachable := range []bool{true, false} {
		row := Row{ID: "gone", Difference: d, Reachable: reachable}
		targets := Targets([]Row{row}, term.DefaultLap, Options{})
		if !reachable {
			targets = Targets([]Row{row}, term.GatesLap, Options{Again: []string{"gone"}})
		}
		require.Len(t, targets, 1)
		own := 0
		for _, l := range treatments(Object{Target: targets[0]}, true) {
			if l.Touch != "" && l.At[0] == StageNew && len(l.APIVersion) == 0 {
				own++
			}
		}
		assert.Equal(t, reachable, own == 1)
	}
}
