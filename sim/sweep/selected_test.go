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
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// objectFor returns the object of a row that holds a value of its kind's spec.
func objectFor(t *testing.T, r Row, pick func(Target) bool, held string, spec map[string]any) Object {
	t.Helper()
	for _, target := range Targets([]Row{r}, term.DefaultLap, Options{}) {
		if pick(target) {
			o := Object{Target: target}
			o.Specimen.Target, o.Specimen.Held = target.Target, held
			o.Specimen.Object = map[string]any{"apiVersion": target.APIVersion, "kind": target.Kind, "spec": spec}
			return o
		}
	}
	require.Fail(t, "no target")
	return Object{}
}

// linesAt returns the lines of an object that fit, by the release that they go through.
func linesAt(o Object, fits func(scenarios.Line) bool) map[string]scenarios.Line {
	at := map[string]scenarios.Line{}
	for _, l := range treatments(o, true) {
		if fits(l) {
			at[string(l.Via[0])] = l
		}
	}
	return at
}

// TestSelected: lists are selected through both releases by a field that only one of them knows. What the
// other one answers with 400 is refused, and nothing else is.
func TestSelected(t *testing.T) {
	for kind, release := range map[term.DifferenceKind]term.Role{term.SelectorRemoved: term.Old, term.SelectorAdded: term.New} {
		o := objectFor(t, ofThing(kind, "", ".spec.color", "", ""), func(t Target) bool { return t.Selector != "" }, ".spec.color", map[string]any{"color": "sample"})
		assert.Equal(t, release, o.Target.Release)
		lists := linesAt(o, func(l scenarios.Line) bool { return l.List != "" })
		require.Len(t, lists, 2)
		for _, l := range lists {
			assert.Equal(t, []string{"spec.color=sample"}, l.FieldSelector)
		}
	}
	o := objectFor(t, ofThing(term.SelectorRemoved, "", ".spec.color", "", ""), func(t Target) bool { return t.Selector != "" }, ".spec.color", map[string]any{"color": "a,b"})
	assert.Empty(t, linesAt(o, func(l scenarios.Line) bool { return l.List != "" }), "no selector has such a value")

	for refused, want := range map[bool]term.Effect{true: term.Refused.Effect(), false: term.Kept.Effect()} {
		row := ofThing(term.SelectorRemoved, "", ".spec.color", "", "")
		o := objectFor(t, row, func(t Target) bool { return t.Selector != "" }, ".spec.color", map[string]any{"color": "sample"})
		o.Specimen.Answered = "sample"
		id := o.Target.ID
		steps := []plan.Step{
			{Number: 1, Action: plan.Operate, Verb: term.Create, Birth: true, ViaRole: term.Old, Object: id, Copy: id + "-1", Client: term.Dynamic},
			{Number: 2, Action: plan.Operate, Verb: term.ListAll, ViaRole: term.Old, Object: id, FieldSelector: "spec.color=sample", Client: term.Dynamic},
			{Number: 3, Action: plan.Operate, Verb: term.ListAll, ViaRole: term.New, Object: id, FieldSelector: "spec.color=sample", Client: term.Dynamic},
		}
		p := plan.Plan{Stages: []plan.Stage{{Name: StageOld, Steps: steps[:2]}, {Name: StageNew, Steps: steps[2:]}}}
		copyOf := result.CopyLedger{Copy: id + "-1", Object: id, Role: term.Bystander, Fields: []result.Field{{Path: ".spec.color", Step: 1, Outcome: term.Kept}}}
		for _, s := range steps {
			if refused && s.Number == 3 {
				continue
			}
			copyOf.Rows = append(copyOf.Rows, result.Row{Step: s.Number, Requests: []result.Request{{Code: 200}}, Stored: &result.Stored{Revision: 1}})
		}
		var judged result.Result
		if refused {
			judged.Findings = []result.Finding{{Object: id, Step: 3, Stage: StageNew, Outcome: term.Refused, Verb: term.ListAll, Client: term.Dynamic, Via: term.New, Class: term.Violation, Rule: term.Rule1, Cause: term.Unattributed, Message: "field label not supported: spec.color"}}
		}
		e := EvidenceOf(&p, judged, result.Ledger{Copies: []result.CopyLedger{copyOf}})
		rows := Rows([]Row{row}, []Lap{{Lap: term.DefaultLap, Objects: []Object{o}, Evidence: []Evidence{e}}})
		require.NotEmpty(t, rows)
		assert.Equal(t, []any{want, true}, []any{rows[0].Effect, rows[0].Exercised}, rows[0].Reason)
		assert.Equal(t, map[bool]term.Cause{true: term.NotSelectable}[refused], rows[0].Cause)
	}
}

// TestScaledField: a scale whose path moves is written through both releases, and the field is read that the
// old one scales. A scale that writes the same field is not played.
func TestScaledField(t *testing.T) {
	isScaled := func(t Target) bool { return t.Scaled != "" }
	row := ofThing(term.NamesChanged, "", "scale", ".spec.replicas, .status.replicas", ".spec.size, .status.replicas")
	o := objectFor(t, row, isScaled, "", map[string]any{})
	assert.True(t, o.Target.Filled)
	scales := linesAt(o, func(l scenarios.Line) bool { return len(l.Verb) == 1 && l.Verb[0] == term.ScalePatch })
	require.Len(t, scales, 2)
	for _, l := range scales {
		require.Len(t, l.Then, 1)
		assert.Equal(t, l.Fields[".spec.replicas"], l.Then[0].Respond.Fields[".spec.replicas"])
	}
	p := playedOf(o)
	moved := p.ofScale(result.Finding{Outcome: term.Dropped, Verb: term.Get, Via: term.New}, Cell{Effect: term.Dropped.Effect(), Cause: term.Unattributed})
	assert.Equal(t, []any{term.MeansOther.Effect(), term.OtherSubresource}, []any{moved.Effect, moved.Cause})
	assert.Equal(t, term.NotRatcheted, p.ofScale(result.Finding{}, Cell{Cause: term.NotRatcheted}).Cause)
	assert.Equal(t, term.OtherSubresource, p.ofScale(result.Finding{Outcome: term.Changed, Verb: term.ScalePatch}, Cell{Cause: term.Unattributed}).Cause)
	assert.Equal(t, term.Unattributed, p.ofScale(result.Finding{Outcome: term.Lost, Verb: term.Put}, Cell{Cause: term.Unattributed}).Cause, "no scale did it")
	assert.Equal(t, term.Unattributed, (played{}).ofScale(result.Finding{}, Cell{Cause: term.Unattributed}).Cause)
	assert.Equal(t, term.Dropped.Effect(), p.ofScale(result.Finding{Outcome: term.Dropped, Verb: term.Put}, Cell{Effect: term.Dropped.Effect()}).Effect)
}

// TestShared: where a list or map gets one owner, a part that one manager added is met by an apply of another
// one, through both releases. Where it gets several owners, nothing is lost.
func TestShared(t *testing.T) {
	isShared := func(t Target) bool { return t.Shared }
	for name, c := range map[string]struct {
		old  string
		held string
		spec map[string]any
		part map[string]any
	}{
		"map":  {"granular", ".spec.labels.a", map[string]any{"labels": map[string]any{"a": "x"}}, map[string]any{".spec.labels.other": "x"}},
		"set":  {"set", ".spec.labels[0]", map[string]any{"labels": []any{"a"}}, map[string]any{`.spec.labels[="aa"]`: "aa"}},
		"keys": {"map by name", `.spec.labels[name="a"]`, map[string]any{"labels": []any{map[string]any{"name": "a"}}}, map[string]any{`.spec.labels[name="aa"]`: map[string]any{"name": "aa"}}},
	} {
		o := objectFor(t, ofThing(term.ListChanged, ".spec.labels", "", c.old, "atomic"), isShared, c.held, c.spec)
		assert.Equal(t, ".spec.labels", o.ValuePath(), name)
		added := linesAt(o, func(l scenarios.Line) bool { return l.Set != "" && len(l.Then) == 1 })
		require.NotEmpty(t, added, name)
		met := map[string]string{}
		for _, l := range treatments(o, true) {
			if l.Set != "" {
				assert.Equal(t, c.part, l.Fields, name)
				met[string(l.Then[0].Via[0])] = slices.Concat(l.Then[0].At, l.At)[0]
			}
		}
		assert.Equal(t, map[string]string{"old": StageOld, "new": StageNew}, met, name)
	}
	for _, target := range Targets([]Row{ofThing(term.ListChanged, ".spec.labels", "", "atomic", "granular")}, term.DefaultLap, Options{}) {
		assert.False(t, target.Shared)
	}
}

// TestStoredNull: a null that only the old release keeps is stored, and met by the new one. A value with parts,
// of which a second manager applied one, is not.
func TestStoredNull(t *testing.T) {
	row := ofThing(term.RuleTightened, ".spec.config", "null refused", "", "true")
	trial := try.Trial{APIVersion: "example.dev/v1", Kind: "Thing", Path: ".spec.config", Held: ".spec.config", Old: try.Answer{Accepted: true, Code: 201}, New: try.Answer{Replaced: true, Code: 201}}
	trial.Object = map[string]any{"spec": map[string]any{"config": nil, "note": "sample"}}
	objects := RuleObjects(row, try.Result{Trials: []try.Trial{trial}})
	require.Len(t, objects, 1)
	body := objects[0].Body()["spec"].(map[string]any)
	assert.Contains(t, body, "config")
	assert.Nil(t, body["config"])
	trial.Value = map[string]any{"a": "x"}
	assert.Empty(t, RuleObjects(row, try.Result{Trials: []try.Trial{trial}}))
}

// TestNames: a name that only one release takes is the beginning of the names that copies have, and rules of
// metadata are those of names, each with what both releases state.
func TestNames(t *testing.T) {
	row := ofThing(term.RuleTightened, "", diff.MetadataRules, "", `{"name":{"type":"string","maxLength":3}}`)
	assert.Equal(t, [][3]string{{"maxLength", "", "3"}}, NameRules(row))
	assert.Empty(t, NameRules(ofThing(term.RuleTightened, ".spec.a", "maxLength", "", "3")))
	require.Len(t, RuleTargets([]Row{row}, term.DefaultLap), 1)
	trial := try.Trial{APIVersion: "example.dev/v1", Kind: "Thing", Held: ".metadata.name", Value: "aaaa", Old: try.Answer{Accepted: true}, New: try.Answer{Code: 422}}
	trial.Object = map[string]any{"metadata": map[string]any{"name": "aaaa"}}
	objects := RuleObjects(row, try.Result{Trials: []try.Trial{trial}})
	require.Len(t, objects, 1)
	assert.Equal(t, "aaaa-"+string(term.CopyName), objects[0].Body()["metadata"].(map[string]any)["name"])
	assert.True(t, objects[0].IsOfName())
	trial.Value = ""
	assert.Empty(t, RuleObjects(row, try.Result{Trials: []try.Trial{trial}}))
}
