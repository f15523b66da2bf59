package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/result"
)

// ofThing is a row of a kind.
func ofThing(kind term.DifferenceKind, path, name, before, after string) Row {
	d := diff.Difference{Difference: kind, Group: "example.dev", Version: "v1", Kind: "Thing", Path: path, Name: name, Old: before, New: after, Playable: true}
	return Row{ID: string(kind) + path + name, Difference: d, Reachable: true}
}

// TestDeclared: what servers answer at a field is in the row of the published difference of the field, or of
// the rule that names it. Of any other field it has a row of its own.
func TestDeclared(t *testing.T) {
	shown := ofThing(term.RuleChanged, ".spec.min", Unstated, "accepts 3", "refuses 3")
	for name, c := range map[string]struct {
		published Row
		explains  bool
	}{
		"the field":             {ofThing(term.EnumValueRemoved, ".spec.min", "3", "3", ""), true},
		"a field beside it":     {ofThing(term.EnumValueRemoved, ".spec.max", "3", "3", ""), false},
		"a rule that names it":  {ofThing(term.RuleTightened, ".spec", "r", "", "self.min <= self.max"), true},
		"a rule of others":      {ofThing(term.RuleTightened, ".spec", "r", "", "self.minimum <= self.max"), false},
		"a rule of the object":  {ofThing(term.RuleTightened, "", "r", "", "self.spec.min > 1"), true},
		"a bound of the struct": {ofThing(term.RuleTightened, ".spec", "maxProperties", "", "3"), false},
		"an entry of its map":   {ofThing(term.EnumValueRemoved, ".spec[]", "3", "3", ""), true},
		"an entry of another":   {ofThing(term.EnumValueRemoved, ".other[]", "3", "3", ""), false},
		"a new field":           {ofThing(term.FieldAdded, ".spec.min", "", "", "integer"), false},
		"what it scales":        {ofThing(term.SubresourceGone, "", "scale", ".spec.min, .status.min", ""), true},
		"what scales do":        {ofThing(term.SubresourceGone, "", "scale", "scale", ""), false},
		"what it does not":      {ofThing(term.SubresourceGone, "", "status", "status", ""), false},
	} {
		kept := declared([]Row{c.published, shown})
		assert.Equal(t, c.explains, len(kept) == 1, name)
		assert.Equal(t, c.explains, len(kept[0].also) == 1, name)
	}
}

// TestObjectsOfDeclared: the objects of a row that another one explains are the other one's.
func TestObjectsOfDeclared(t *testing.T) {
	r := aRun()
	of := r.rows[0]
	of.Difference.Difference, of.Old = term.TypeChanged, "integer"
	shown := Row{ID: "shown", Difference: diff.Difference{Difference: term.RuleChanged, Version: "v1", Kind: "Thing", Path: valueRow, Name: Unstated, Playable: true}}
	r.objects[theObject].Target.Rows = []string{"shown"}
	r.rows = []Row{of, shown}
	rows := r.judged()
	require.Len(t, rows, 1)
	assert.Equal(t, []any{term.Kept.Effect(), true}, []any{rows[0].Effect, rows[0].Exercised})
}

// TestShownBy: what a new rule cannot be why of, since it refuses nothing that the release before refused,
// is another row's. Of a tag any answer counts: hand-written validation has no row.
func TestShownBy(t *testing.T) {
	byOld, byNew := try.Trial{Old: try.Answer{Accepted: true}}, try.Trial{New: try.Answer{Accepted: true}}
	both := try.Result{Trials: []try.Trial{byOld, byNew}}
	for kind, want := range map[term.DifferenceKind][]try.Trial{term.RuleTightened: {byOld}, term.RuleRelaxed: {byNew}, term.RuleChanged: {byOld, byNew}} {
		assert.Equal(t, want, ofThing(kind, ".spec", "anyOf", "", "").shownBy(both).Trials, kind)
		assert.Len(t, ofThing(kind, ".spec", "k8s:maximum", "", "").shownBy(both).Trials, 2)
	}
	assert.Len(t, both.Trials, 2, "the answers stay")
	tightened := ofThing(term.RuleTightened, ".spec", "anyOf", "", "")
	assert.NotEmpty(t, tightened.shownBy(try.Result{Trials: []try.Trial{byNew}}).Reason, "the old release refuses also what the new one accepts")
	assert.Empty(t, tightened.shownBy(try.Result{BothAccept: 1, Trials: []try.Trial{byNew}}).Reason)
}

// TestDefinitionOfFields: the refusal of a definition of which only fields differ has a row, and one of a
// kind that has a row itself has no second one.
func TestDefinitionOfFields(t *testing.T) {
	refused := result.Finding{Check: term.CheckInstalls, Rule: term.RuleInstallable, Class: term.Violation, Defines: "Thing.", Outcome: term.Refused, Via: term.New, Step: 9, Stage: "new"}
	r := aRun()
	r.result.Findings = []result.Finding{refused}
	rows := r.judged()
	require.Len(t, rows, 2)
	assert.Equal(t, []any{term.BehaviourChanged, "Thing", "definition"}, []any{rows[0].Difference.Difference, rows[0].Kind, rows[0].Name})
	assert.True(t, rows[0].Uninstalled())
	assert.True(t, Gate{Level: term.Frozen.Effect()}.fails(rows[0]))

	r.rows[0].Path, r.rows[0].Difference.Difference = "", term.VersionAdded
	rows = r.judged()
	require.Len(t, rows, 1)
	assert.True(t, rows[0].Uninstalled())
}

// TestNeighbours: an object for one element of a list of scalars changes another one, such as the
// object of its kind has that uses no difference. One with an element twice does not: it would be there once.
func TestNeighbours(t *testing.T) {
	of := func(held string, twice bool, modes ...any) Object {
		o := Object{Target: Target{Release: term.Old, Form: term.Bystander, Beside: true, Rows: []string{"row"}}}
		o.Target.ID, o.Target.APIVersion, o.Target.Kind, o.Target.Twice = "it", "example.dev/v1", "Thing", twice
		o.Specimen = try.Specimen{Target: o.Target.Target, Held: held, Object: map[string]any{"spec": map[string]any{"modes": modes}}}
		return o
	}
	plain := of("", false, "a")
	plain.Target.Rows = nil
	all := withNeighbours(nil, of(".spec.modes[0]", false, "c"), of(".spec.modes", true, "c", "c"), plain)
	assert.Equal(t, map[string]any{".spec.modes[1]": "a"}, all[0].Target.Neighbour)
	assert.Nil(t, all[1].Target.Neighbour)
	assert.Nil(t, all[2].Target.Neighbour)
	changed := of(".spec.modes[0]", false, "c")
	changed.Target.Change = map[string]any{".spec.modes": nil}
	assert.Nil(t, withNeighbours(nil, changed, plain)[0].Target.Neighbour)
}

// TestBaselinesOfRules: a kind with a rule of whole objects has an object that uses no difference, whatever
// other kinds there are: that one has the name that it has.
func TestBaselinesOfRules(t *testing.T) {
	for path, want := range map[string]int{"": 1, ".spec.modes[]": 1, ".spec.size": 0} {
		assert.Len(t, Targets([]Row{ofThing(term.RuleTightened, path, "self.size() < 3", "", "self.size() < 3")}, term.DefaultLap, Options{}), want, path)
	}
}

// TestScaleGone: a scale that goes is written through both definitions, on an object with all fields.
func TestScaleGone(t *testing.T) {
	target := Targets([]Row{ofThing(term.SubresourceGone, "", "scale", ".spec.size, .status.size", "")}, term.DefaultLap, Options{})[0]
	assert.True(t, target.Filled)
	at := map[string][]term.Verb{}
	for _, l := range treatments(Object{Target: target}, true) {
		if l.Verb != nil && l.Verb[0] == term.ScalePatch {
			at[string(l.Via[0])+" "+l.At[0]] = l.Verb
		}
	}
	assert.Contains(t, at, "new "+StageNew)
	assert.Contains(t, at, "old "+StageOld)
	assert.Equal(t, term.Refused.Effect(), ruling.EffectOf(result.Finding{Outcome: term.Refused, Verb: term.ScalePatch}))
}

// TestRemoval: an object without a field that a rule requires holds just that.
func TestRemoval(t *testing.T) {
	o := Object{Specimen: try.Specimen{Held: ".spec.a", Bystander: map[string]any{"spec": map[string]any{"a": "x"}}, Object: map[string]any{"spec": map[string]any{}}}}
	assert.True(t, o.isRemoval())
	o.Specimen.Object = o.Specimen.Bystander
	assert.False(t, o.isRemoval())
	o.Specimen.Bystander = nil
	assert.False(t, o.isRemoval())
}

// TestBaselineInPart: the part with a published difference of a kind has the object whose fields are tried, as
// the part of the kind has; other parts have none.
func TestBaselineInPart(t *testing.T) {
	row := ofThing(term.RuleTightened, ".spec", "self.min < 3", "", "self.min < 3")
	const shards = 7
	for shard := 1; shard <= shards; shard++ {
		o := Options{Scope: Scope{Shard: shard, Shards: shards}, Parts: []Row{row}, Stored: []Kind{{"example.dev/v1", "Thing"}}}
		var own []Row
		if o.Scope.HasID(row.ID) {
			own = []Row{row}
		}
		want := len(own) > 0 || o.Scope.HasID("example.dev/v1 Thing")
		assert.Equal(t, want, len(Targets(own, term.DefaultLap, o)) == 1, shard)
	}
	o := Options{Scope: Scope{Paths: []string{".spec"}}, Stored: []Kind{{"example.dev/v1", "Thing"}}}
	assert.Empty(t, Targets([]Row{row}, term.DefaultLap, o), "a path restricts a sweep to differences")
}
