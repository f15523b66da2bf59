package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/objects/try"
)

// TestNeeds: an object that needs a second one names it as it is named in the run, and only
// one copy of the second has that name.
func TestNeeds(t *testing.T) {
	target := Target{Rows: []string{"row"}, Release: term.New, Form: term.Treated}
	target.ID, target.APIVersion, target.Kind, target.Path = "thing-x-123456", "v1", "Thing", ".spec.x"
	named := func(name string, spec map[string]any) map[string]any {
		return map[string]any{"apiVersion": "v1", "kind": "Thing", "metadata": map[string]any{"name": name}, "spec": spec}
	}
	o := Object{Target: target, Specimen: try.Specimen{
		Target: target.Target, Held: ".spec.x", Object: named("own", map[string]any{"x": "other", "text": "another"}), Needs: []map[string]any{named("other", nil)},
	}}
	all, err := Scenarios([]Object{o}, settings("frobber"))
	require.NoError(t, err)
	g := all[0]
	need := g.Scenario.Manifests[g.Scenario.Objects[NeedID(target.ID, 0)].Treated].Body
	name := NameIn(need)
	assert.Contains(t, name, string(term.CopyNamespace))
	var body struct{ Spec struct{ X, Text string } }
	require.NoError(t, yaml.Unmarshal(g.Files[objectFile(target.ID)], &body))
	assert.Equal(t, name, body.Spec.X)
	assert.Equal(t, "another", body.Spec.Text, "only the whole name is a reference")
	copies := 0
	for _, l := range g.Scenario.Play {
		if _, object := l.VerbKey(); object == NeedID(target.ID, 0) {
			copies++
			assert.Equal(t, []string{StageOld}, l.At, "it exists before any object of a later stage")
		}
	}
	assert.Equal(t, 1, copies)
	assert.Equal(t, "own", NameIn(o.Specimen.Object), "the specimen itself stays")
}

// TestRuleObjects: a value that only the old release accepts is stored by it, and breaks a rule
// where the new one refuses it; one that only the new release accepts uses what is new. A change
// of a stored object is sent to a valid one.
func TestRuleObjects(t *testing.T) {
	row := Row{ID: "rule"}
	object, before := map[string]any{"kind": "Thing", "spec": map[string]any{"x": "a"}}, map[string]any{"kind": "Thing"}
	trial := try.Trial{APIVersion: "v1", Kind: "Thing", Path: ".spec.x", Held: ".spec.x", Value: "a", Object: object, Before: before}
	byOld, byNew, update := trial, trial, trial
	byOld.Old.Accepted, byNew.New.Accepted, update.Old.Accepted = true, true, true
	update.Update, update.Removed = true, true
	all := RuleObjects(row, try.Result{Trials: []try.Trial{byOld, byNew, update}})
	require.Len(t, all, 3)
	assert.Equal(t, []any{term.Old, term.Bystander}, []any{all[0].Target.Release, all[0].Target.Form})
	assert.Equal(t, []any{term.New, term.Treated}, []any{all[1].Target.Release, all[1].Target.Form})
	assert.Equal(t, map[string]any{".spec.x": nil}, all[2].Target.Change)
	assert.Equal(t, before, all[2].Specimen.Object)
	assert.NotEqual(t, all[0].Target.ID, all[2].Target.ID)
	for _, o := range all {
		o.Specimen.Object["apiVersion"] = "v1"
	}
	_, err := Scenarios(all, settings("frobber"))
	assert.NoError(t, err)
}

// TestAlikeRules: dry runs that both releases answer alike are a verdict, and no exercise; rules
// for which no value was found have none.
func TestAlikeRules(t *testing.T) {
	for fate, r := range map[term.Effect]try.Result{
		term.Kept.Effect():         {Sent: 2, BothAccept: 1, BothRefuse: 1},
		term.NotExercised.Effect(): {Sent: 2, Dropped: 2},
	} {
		lap := Lap{Rules: map[string]try.Result{"rule": r}}
		o, known := outcomeOfRule(lap, Row{ID: "rule"})
		assert.True(t, known)
		assert.Equal(t, fate, o.Effect)
		assert.False(t, o.Exercised)
		lap.Settings.Releases.Of = scenarios.ManifestComponent // nothing but the definition validates
		o, _ = outcomeOfRule(lap, Row{ID: "rule"})
		assert.Equal(t, term.NotExercised.Effect(), o.Effect)
		assert.NotEmpty(t, o.Reason)
	}
	_, known := outcomeOfRule(Lap{}, Row{ID: "rule"})
	assert.False(t, known)
}
