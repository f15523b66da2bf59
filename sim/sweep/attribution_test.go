package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// rowOfThing returns a row of a difference of the kind Thing.
func rowOfThing(id string, kind term.DifferenceKind, field, name string, messages ...string) Row {
	d := diff.Difference{Difference: kind, Group: "example.dev", Version: "v1", Kind: "Thing", Path: field, Name: name, New: name, Messages: messages, Playable: true}
	return Row{ID: id, Difference: d}
}

// playedFor returns what was played of an object of the kind Thing for a row, beside other rows.
func playedFor(of Row, others ...Row) played {
	var o Object
	o.Target.APIVersion, o.Target.Kind = "example.dev/v1", "Thing"
	return playedOf(o).forRow(of, claimsOf(append(others, of)))
}

func errorAt(field, message string) []result.StatusCause {
	return []result.StatusCause{{Field: field, Reason: "FieldValueInvalid", Message: message}}
}

// TestAttribute: an error is the row's whose field or words it has, and no other row's.
func TestAttribute(t *testing.T) {
	exclusive := rowOfThing("exclusive", term.RuleTightened, ".spec", "has(self.a) != has(self.b)", "at most one of a or b")
	immutable := rowOfThing("immutable", term.RuleTightened, ".spec", "self == oldSelf", "spec is immutable")
	length := rowOfThing("length", term.RuleTightened, ".spec.region", "minLength")
	added := rowOfThing("added", term.FieldAdded, ".spec.expire", "")
	gone := rowOfThing("gone", term.FieldRemoved, ".spec.b", "")
	oneOf := rowOfThing("oneOf", term.RuleChanged, ".spec", "oneOf")
	filled := rowOfThing("filled", term.DefaultChanged, ".spec.a", "")
	lacks := func(of Row, others ...Row) played { // an object without the field that its row fills in
		p := playedFor(of, others...)
		p.object.Target.Without = "a"
		return p
	}
	alternatives := `Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid`
	for name, c := range map[string]struct {
		p       played
		causes  []result.StatusCause
		message string
		sends   bool
		own     bool
		filled  bool
	}{
		"its own rule":                       {playedFor(exclusive, length), errorAt("spec", "at most one of a or b"), "", true, true, false},
		"the rule of another row":            {playedFor(length, exclusive), errorAt("spec", "at most one of a or b"), "", true, false, false},
		"both":                               {playedFor(length, exclusive), append(errorAt("spec", "at most one of a or b"), errorAt("spec.region", "spec.region in body should be at least 1 chars long")...), "", true, true, false},
		"a rule that no row is of":           {playedFor(length), errorAt("spec", "group is immutable"), "", true, false, false},
		"a default that a rule refuses":      {playedFor(added, immutable), errorAt("spec", "spec is immutable"), "", false, true, true},
		"a default that an old rule refuses": {playedFor(added), errorAt("spec", "spec is immutable"), "", false, true, true},
		"the rule that refuses a default":    {playedFor(immutable, added), errorAt("spec", "spec is immutable"), "", false, true, true},
		"the same rule, and a change":        {playedFor(immutable, added), errorAt("spec", "spec is immutable"), "", true, true, false},
		"the same rule, and no default":      {playedFor(immutable, length), errorAt("spec", "spec is immutable"), "", false, true, false},
		"a default beside a member":          {lacks(filled), errorAt("spec", "they exclude each other"), "", true, true, true},
		"the same, of a row's rule":          {lacks(filled, exclusive), errorAt("spec", "at most one of a or b"), "", true, false, false},
		"the same, where a client sends it":  {playedFor(filled), errorAt("spec", "they exclude each other"), "", true, false, false},
		"a default, and another rule":        {playedFor(added, exclusive), errorAt("spec", "at most one of a or b"), "", false, false, false},
		"a member that goes":                 {playedFor(gone, oneOf), errorAt("spec", alternatives), "", true, true, false},
		"alternatives without it":            {playedFor(oneOf, gone), errorAt("spec", alternatives), "", true, true, false},
		"an apply that names another field":  {playedFor(length), nil, "failed to create typed patch object (a): .spec.list: expected list, got string", true, false, false},
		"an apply that names its field":      {playedFor(length), nil, "failed to create typed patch object (a): .spec.region: expected string, got list", true, true, false},
		"a refusal without any place":        {playedFor(length), nil, "denied by a webhook", true, true, false},
		"an object that is for no row":       {played{}, errorAt("spec", "spec is immutable"), "", true, true, false},
	} {
		a, own := c.p.attribute(c.causes, c.message, c.sends)
		assert.Equal(t, c.own, own, name)
		assert.Equal(t, c.filled, a.filled, name)
	}
	a, _ := playedFor(length, exclusive).attribute(append(errorAt("spec", "at most one of a or b"), errorAt("spec.region", "spec.region in body should be at least 1 chars long")...), "", true)
	assert.Len(t, a.causes, 1, "the other error is not the row's")
}

// TestProven: a refusal by the other release says something only of what the object's own release has
// accepted, sent in the same way.
func TestProven(t *testing.T) {
	change := &plan.Change{Kind: plan.Fields, Fields: map[string]any{".status.levels": []any{"a"}}}
	other := &plan.Change{Kind: plan.Fields, Fields: map[string]any{".status.levels": []any{"b"}}}
	label := &plan.Change{Kind: plan.Label}
	sent := func(role term.Role, verb term.Verb, c *plan.Change, code int) write {
		return write{Step: plan.Step{Verb: verb, ViaRole: role, Change: c, Subresource: term.StatusPart}, code: code}
	}
	refused := sent(term.Old, term.Put, change, 422)
	for name, c := range map[string]struct {
		own  write
		of   write
		want bool
	}{
		"accepted":             {sent(term.New, term.Put, change, 200), refused, true},
		"refused":              {sent(term.New, term.Put, change, 422), refused, false},
		"another value":        {sent(term.New, term.Put, other, 200), refused, false},
		"another verb":         {sent(term.New, term.MergePatch, change, 200), refused, false},
		"by the other release": {sent(term.Old, term.Put, change, 200), refused, false},
		"a label needs none":   {sent(term.New, term.Put, change, 422), sent(term.Old, term.Put, label, 422), true},
		"its own release":      {sent(term.New, term.Put, change, 422), sent(term.New, term.Put, change, 422), true},
	} {
		var p played
		p.object.Target.ID, p.object.Target.Release = "thing", term.New
		p.evidence.Copies = map[string]copyEvidence{"one": {object: "thing", writes: []write{c.own, c.of}}}
		assert.Equal(t, c.want, p.isProven(c.of), name)
	}
}

// TestElementPaths: a list that becomes a map by key on the way has the same elements, whichever spelling
// findings have for them.
func TestElementPaths(t *testing.T) {
	var o Object
	o.Specimen.Held = ".spec.items[0].ref"
	o.Specimen.Object = map[string]any{"spec": map[string]any{"items": []any{
		map[string]any{"name": "a", "ref": map[string]any{"id": "x"}}, map[string]any{"name": "b"},
	}}}
	p := playedOf(o)
	for at, want := range map[string]bool{
		`.spec.items[name="a"].ref.id`: true, ".spec.items[0].ref.id": true, `.spec.items[name="b"].ref`: false, ".spec.items[1].ref": false, ".spec.items": true,
	} {
		assert.Equal(t, want, p.concerns(result.Finding{Path: at, Outcome: term.Changed}), at)
		c := copyEvidence{fields: []result.Field{{Path: at, Step: 1}}}
		assert.Equal(t, want, len(p.valueFields(c)) > 0, at)
	}
}

// TestForeignTrial: a dry run that is refused for another field shows nothing of a rule, and the outcome
// says why.
func TestForeignTrial(t *testing.T) {
	row := rowOfThing("length", term.RuleTightened, ".spec.region", "minLength")
	trial := try.Trial{APIVersion: "example.dev/v1", Kind: "Thing", Held: ".spec.region", Old: try.Answer{Code: 201, Accepted: true}, New: try.Answer{Code: 422}}
	trial.New.StatusCauses = errorAt("spec", "at most one of a or b")
	foreign := row.shownBy(try.Result{Sent: 1, Trials: []try.Trial{trial}})
	assert.Empty(t, foreign.Trials)
	assert.NotEmpty(t, foreign.Reason)
	trial.New.StatusCauses = append(trial.New.StatusCauses, errorAt("spec.region", "spec.region in body should be at least 1 chars long")...)
	own := row.shownBy(try.Result{Sent: 1, Trials: []try.Trial{trial}})
	assert.Len(t, own.Trials, 1)
	assert.Empty(t, own.Reason)
}

// TestIsShutOut: clients of the old types are shut out by a default that a rule refuses; one write that is
// refused otherwise leaves others.
func TestIsShutOut(t *testing.T) {
	refused := result.Finding{Outcome: term.Refused, Client: term.OldTyped, Via: term.New, Verb: term.Put}
	with := func(change func(*result.Finding)) result.Finding { f := refused; change(&f); return f }
	for name, c := range map[string]struct {
		f     result.Finding
		cause term.Cause
		want  bool
	}{
		"a default, refused":     {refused, term.Defaulted, true},
		"another rule":           {refused, term.InvalidValue, false},
		"a client of no release": {with(func(f *result.Finding) { f.Client = term.Dynamic }), term.Defaulted, false},
		"a client of the new":    {with(func(f *result.Finding) { f.Client = term.NewTyped }), term.Defaulted, false},
		"the old release":        {with(func(f *result.Finding) { f.Via = term.Old }), term.Defaulted, false},
		"a create":               {with(func(f *result.Finding) { f.Verb = term.Create }), term.Defaulted, false},
	} {
		assert.Equal(t, c.want, isShutOut(c.f, Cell{Effect: term.Refused.Effect(), Cause: c.cause}), name)
	}
}

// TestMayNotFit: the kind may refuse the condition that a write adds. A refusal that names the stored value is
// of the value.
func TestMayNotFit(t *testing.T) {
	p := playedFor(rowOfThing("row", term.RuleTightened, ".status.conditions[].reason", "pattern"))
	p.object.Specimen.Object = map[string]any{"status": map[string]any{"conditions": []any{map[string]any{"type": "Ready", "reason": "-"}}}}
	p.object.Specimen.Held = ".status.conditions[0].reason"
	p.asObject = p.object.whole
	w := write{Step: plan.Step{Change: &plan.Change{Kind: plan.Condition}}}
	for field, want := range map[string]bool{"status.conditions[0].reason": false, "status.conditions[1].reason": true, "status.conditions[0].type": true, "status": true} {
		w.causes = errorAt(field, "Invalid value")
		assert.Equal(t, want, p.mayNotFit(w), field)
	}
	w.Change.Kind = plan.Fields
	assert.False(t, p.mayNotFit(w), "it sends no condition")
}

// TestFilledInKey: a default of a list's key shows at an element that the object has without it, and is of the row
// of that default. Of an element that has another key, or that no filling in makes the one, it is a note.
func TestFilledInKey(t *testing.T) {
	for name, c := range map[string]struct {
		list []any
		at   string
		want term.Effect
	}{
		"the element without its key":       {[]any{map[string]any{}}, `.spec.l[name=""].name`, term.Changed.Effect()},
		"one key of two":                    {[]any{map[string]any{"port": int64(80)}}, `.spec.l[name="a",port=80].name`, term.Changed.Effect()},
		"one key of two, and another other": {[]any{map[string]any{"port": int64(81)}}, `.spec.l[name="a",port=80].name`, term.Kept.Effect()},
		"after an element with a key":       {[]any{map[string]any{}, map[string]any{"name": "b"}}, `.spec.l[name=""].name`, term.Changed.Effect()},
		"the element with a key":            {[]any{map[string]any{}, map[string]any{"name": "b"}}, `.spec.l[name="b"].name`, term.Kept.Effect()},
		"within the element":                {[]any{map[string]any{}}, `.spec.l[name=""].port`, term.Kept.Effect()},
	} {
		r := aRun()
		r.rows[theObject].Difference.Difference = term.DefaultChanged
		o := &r.objects[theObject]
		o.Specimen.Object["spec"] = map[string]any{"l": c.list}
		o.Specimen.Held, o.Target.Without = ".spec.l[0]", "name"
		r.finding(theObject, result.Finding{Path: c.at, Outcome: term.Changed, Cause: term.Defaulted, Class: term.Violation, Rule: term.Rule2, Via: term.New, After: ""})
		row := r.judged()[0]
		assert.Equal(t, c.want, row.Effect, name)
		assert.Equal(t, c.want == term.Kept.Effect(), len(row.Notes) > 0, name)
	}
}
