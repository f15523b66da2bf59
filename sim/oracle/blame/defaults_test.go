package blame_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
)

// A value whose place a default took was lost first, where that is known.
func TestDefaulted(t *testing.T) {
	changed := `nothing-lost violation rule-6 changed %s bystander-1 .spec.grain in step 4 (upgrading 1/2)`
	lost := `nothing-lost violation rule-6 lost %s bystander-1 .spec.grain in step 4 (upgrading 1/2)`
	for name, c := range map[string]struct {
		body  oracletest.Object
		after string
		want  []string
	}{
		"to the default, by a client that left it out": {oracletest.Spec(oracletest.Object{"colour": "red"}), "fine", []string{fmt.Sprintf(changed, "defaulted"), fmt.Sprintf(lost, "client-omitted")}},
		"to the default, though it was sent":           {oracletest.Spec(oracletest.Object{"grain": "rough"}), "fine", []string{fmt.Sprintf(changed, "defaulted")}},
		"to another value":                             {oracletest.Spec(oracletest.Object{"grain": "rough"}), "coarse", []string{fmt.Sprintf(changed, "unattributed")}},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", oracletest.TwoPartsSpec)
			run.Do(term.Put, "bystander-1", c.body, []oracletest.Edit{oracletest.With(".spec.grain", c.after)}, oracletest.Via("a"), oracletest.ReadVia("a"), oracletest.By(term.OldTyped))
			if len(c.want) > 1 {
				withoutGrain(run, term.Old)
			}
			run.ExpectFindings(c.want...)
		})
	}
}

// withoutGrain makes a release one that does not publish the field. What it
// served is left as it was.
func withoutGrain(run *oracletest.Run, role term.Role) {
	definitions := oracletest.Definitions(role)
	spec := definitions["dev.example.v1.Widget"].(oracletest.Object)["properties"].(oracletest.Object)["spec"].(oracletest.Object)
	delete(spec["properties"].(oracletest.Object), "grain")
	run.Schemas[role] = oracletest.Schema(run.T, oracletest.Document(run.T, definitions))
}

// An old server drops a value, and the new one shows a default in its place.
func TestDefaultedAfterALoss(t *testing.T) {
	run := oracletest.NewMixed(t)
	withoutGrain(run, term.Old)
	run.Create("treated-1", `{"colour": "red", "grain": "rough"}`)
	touched := run.Patch("treated-1", oracletest.Via("b"))
	look := run.Exchange(touched, history.Look, "a")
	look.Answer = run.Edited(look.Answer, ".spec.grain", "fine")
	res := run.ExpectFindings(
		`nothing-lost impact rule-6 changed defaulted treated-1 .spec.grain in step 4 (upgrading 1/2)`,
		`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.grain in step 4 (upgrading 1/2)`)
	if res.Findings[0].After != "fine" {
		t.Errorf("after: %v", res.Findings[0].After)
	}
}

// What another form of the object did not carry, a conversion lost: the form
// that the step wrote, or that it is stored in since. Rule-4 reports the first.
func TestConverted(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", oracletest.TwoPartsSpec)
	run.Do(term.MergePatch, "bystander-1", oracletest.Object{}, []oracletest.Edit{oracletest.With(".spec.colour", nil)}, oracletest.Via("a"))
	finding := `nothing-lost violation rule-6 lost %s bystander-1 .spec.colour in step 4 (upgrading 1/2)`
	for _, c := range []struct {
		was, now string
		want     term.Cause
	}{{"example.dev/v1", "example.dev/v1", term.Unattributed}, {"example.dev/v1", "example.dev/v2", term.Converted},
		{"", "example.dev/v2", term.Unattributed}, {"example.dev/v1", "", term.Unattributed}} {
		run.History.Changes[0].APIVersion, run.History.Changes[1].APIVersion = c.was, c.now
		run.ExpectFindings(fmt.Sprintf(finding, c.want))
	}
}

// TestConvertedInOwnVersion: a custom resource that is stored in another version than a client uses is converted by
// every write, and what the request held and the store does not, the conversion lost: the program's, where one runs and the
// definition names a webhook; without one the server converts by itself.
// Near twins: the version that is stored, a built-in kind, a client that did not send the value, a server that does not
// publish the field, and an admission webhook that changed it.
func TestConvertedInOwnVersion(t *testing.T) {
	finding := func(cause string) string {
		return `nothing-lost violation rule-6 lost ` + cause + ` bystander-1 .spec.colour in step 5 (upgrading 1/2)`
	}
	for name, c := range map[string]struct {
		defined, stored, mutated string
		sends, alone             bool
		want                     string
	}{
		"another version":    {"widgets", "example.dev/v2", "", true, false, "converted"},
		"without a webhook":  {"widgets", "example.dev/v2", "", true, true, "converted"},
		"the stored version": {"widgets", "example.dev/v1", "", true, false, "unattributed"},
		"a built-in kind":    {"gadgets", "example.dev/v2", "", true, false, "unattributed"},
		"left out":           {"widgets", "example.dev/v2", "", false, false, "unattributed"},
		"by admission":       {"widgets", "example.dev/v2", "/spec/colour", true, false, "admission-webhook"},
	} {
		run := oracletest.NewMixed(t)
		run.NamePlurals()
		run.Install(term.New, history.Installed{Name: "widgets.example.dev", Code: 200, Webhook: !c.alone})
		run.Step(plan.Step{Action: plan.Program, Role: term.New})
		run.History.Header.Plan.Manifests["definition"] = plan.Manifest{
			APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Body: oracletest.Object{"metadata": oracletest.Object{"name": c.defined + ".example.dev"}},
		}
		run.Create("bystander-1", oracletest.TwoPartsSpec)
		sent := oracletest.Object{"grain": "rough"}
		if c.sends {
			sent["colour"] = "red"
		}
		put := run.Do(term.Put, "bystander-1", oracletest.Spec(sent), []oracletest.Edit{oracletest.With(".spec.colour", nil)}, oracletest.Via("a"), oracletest.ReadVia("a"))
		if c.mutated != "" {
			run.Exchange(put, history.Act, "a").Mutated = []string{c.mutated}
		}
		for i := range run.History.Changes {
			run.History.Changes[i].APIVersion = c.stored
		}
		f := run.ExpectFindings(finding(c.want)).Findings[0]
		assert.Equal(t, !c.alone, f.Program == term.New, name)
		assert.Equal(t, f.Cause != term.Unattributed && !c.alone, f.Actor == term.NewProgram, name)
	}
}

// A write that no step asked for is a conversion's where it stored another form.
func TestConvertedByNobody(t *testing.T) {
	for form, want := range map[string]string{"example.dev/v1": "unattributed", "example.dev/v2": "converted"} {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", oracletest.TwoPartsSpec)
		run.Change("bystander-1", ".spec.colour", nil)
		run.Observe()
		run.History.Changes[0].APIVersion, run.History.Changes[1].APIVersion = "example.dev/v1", form
		run.ExpectFindings(`nothing-lost violation rule-6 lost ` + want + ` bystander-1 .spec.colour in step 0 ()`)
	}
}

// What a custom resource's definition does not declare is pruned. That a kind is
// one, the plan's own definition of it says.
func TestPruned(t *testing.T) {
	for name, want := range map[string]string{"widgets.example.dev": "pruned", "gadgets.example.dev": "unknown-field", "": "unknown-field"} {
		run := oracletest.NewMixed(t)
		run.NamePlurals()
		run.History.Header.Plan.Manifests["definition"] = plan.Manifest{
			APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Body: oracletest.Object{"metadata": oracletest.Object{"name": name}},
		}
		run.Create("treated-1", oracletest.ShineSpec)
		run.Patch("treated-1", oracletest.Via("b"))
		run.Create("treated-2", oracletest.ShineSpec, oracletest.Via("b"))
		run.ExpectFindings(
			`nothing-lost impact rule-6 lost `+want+` treated-1 .spec.shine in step 4 (upgrading 1/2)`,
			`nothing-lost impact rule-3 dropped `+want+` treated-2 .spec.shine in step 5 (upgrading 1/2)`)
	}
}

// What takes the place of a lost value is a default, also where none is published: the
// writer stored nothing there. But what a release makes of other values that the writer
// kept is not one: of related ones, or in an element whose key a client chose.
func TestDefaultedOrMadeOfOthers(t *testing.T) {
	const lost = `nothing-lost impact rule-6 lost unknown-field treated-1 `
	const changed = `nothing-lost impact rule-6 changed `
	at := ` in step 4 (upgrading 1/2)`
	for name, c := range map[string]struct {
		related [][]string
		path    string
		want    []string
	}{
		"a default":           {nil, ".spec.finish.gloss", []string{changed + "defaulted treated-1 .spec.finish.gloss" + at, lost + ".spec.finish.gloss" + at}},
		"of a related value":  {[][]string{{".spec.finish.tone", ".spec.finish.gloss"}}, ".spec.finish.gloss", []string{changed + "unknown-field treated-1 .spec.finish.gloss" + at}},
		"under a chosen key":  {nil, `.spec.layers["red"].depth`, []string{changed + `unknown-field treated-1 .spec.layers.red.depth` + at}},
		"of another relation": {[][]string{{".spec.finish.tone", ".spec.colour"}}, ".spec.finish.gloss", []string{changed + "defaulted treated-1 .spec.finish.gloss" + at, lost + ".spec.finish.gloss" + at}},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.History.Header.Plan.Related = c.related
			run.Publish(term.New, oracletest.Object{"spec.properties.layers": oracletest.Map(oracletest.Struct(oracletest.Object{"depth": oracletest.Scalar("integer")}))})
			run.Behave(term.New, oracletest.Behaviour{Default: func(o oracletest.Object) {
				if !oracletest.Has(t, o, c.path) {
					oracletest.With(c.path, 1)(t, o)
				}
			}})
			o := oracletest.Object{"metadata": oracletest.Object{}, "spec": oracletest.Object{"colour": "red", "finish": oracletest.Object{"tone": "dark"}}}
			oracletest.With(c.path, 5)(t, o)
			raw, err := json.Marshal(o["spec"])
			if err != nil {
				t.Fatal(err)
			}
			run.Create("treated-1", string(raw), oracletest.Via("a"))
			run.Patch("treated-1", oracletest.Via("b"))
			run.ExpectFindings(c.want...)
		})
	}
}
