package checks_test

import (
	"fmt"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
)

// What the answer shows in the place of what was sent is distinguished: nothing,
// with a warning or without; an element less; an empty parent; another value.
func TestNotAcceptedInWords(t *testing.T) {
	cases := []struct {
		name, at, text string
		edits          []oracletest.Edit
	}{
		{"nothing", ".spec.colour", "was answered 200 without a warning, and the answer does not show it; unattributed", []oracletest.Edit{oracletest.With(".spec.colour", nil)}},
		{"another value", ".spec.colour", `and the answer shows "blue"; unattributed`, []oracletest.Edit{oracletest.With(".spec.colour", "blue")}},
		{"an element less", oracletest.PartY, `{"count":2,"name":"y"}, sent in step 3 (upgrading 1/2: create by dynamic, via a (v2.0.0)), was answered 200 without a warning, and the answer does not show it: the whole element is gone; element-dropped: `, []oracletest.Edit{oracletest.With(oracletest.PartY, nil)}},
		{"an empty parent", ".spec.finish.tone", "does not show it: it leaves .spec.finish empty", []oracletest.Edit{oracletest.With(".spec.finish", oracletest.Object{})}},
		{"no parent", ".spec.finish", "and the answer does not show it; unattributed", []oracletest.Edit{oracletest.With(".spec.finish", nil)}},
		{"a member of an element", oracletest.PartY + ".count", "and the answer does not show it; unattributed", []oracletest.Edit{oracletest.With(oracletest.PartY+".count", nil)}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			created := run.Create("bystander-1", oracletest.TwoPartsSpec)
			run.EditAnswer(created, c.edits...)
			cause := "unattributed"
			if c.name == "an element less" {
				cause = "element-dropped"
			}
			finding := fmt.Sprintf(`nothing-lost violation rule-2 dropped %s bystander-1 %s in step 3 (upgrading 1/2)`, cause, c.at)
			run.ExpectMessage(finding, c.text)
			run.Exchange(created, history.Act, "a").Warnings = []string{"odd"}
			run.ExpectMessage(finding, `with the warning "odd"`)
		})
	}
}

// The cause of what is not accepted: a gate that is off does just what its rule
// asks for; a default took the value's place; the client's types left it out.
func TestNotAcceptedCauses(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(run *oracletest.Run, created int)
		want string
	}{
		"gate off":         {func(run *oracletest.Run, _ int) { run.SetGate(term.New, "Lustre", false) }, "impact lifecycle dropped gate-disabled bystander-1 .spec.lustre"},
		"gate on":          {func(run *oracletest.Run, _ int) { run.SetGate(term.New, "Lustre", true) }, "violation rule-2 dropped unattributed bystander-1 .spec.lustre"},
		"another gate off": {func(run *oracletest.Run, _ int) { run.SetGate(term.New, "Shine", false) }, "violation rule-2 dropped unattributed bystander-1 .spec.lustre"},
		"its gate off, through the other release": {func(run *oracletest.Run, _ int) { run.SetGate(term.Old, "Lustre", false) }, "violation rule-2 dropped unattributed bystander-1 .spec.lustre"},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			created := run.Create("bystander-1", oracletest.TwoPartsSpec)
			run.EditAnswer(created, oracletest.With(".spec.lustre", nil))
			c.edit(run, created)
			run.ExpectFindings(`nothing-lost ` + c.want + ` in step 3 (upgrading 1/2)`)
		})
	}
}

func TestNotAcceptedForADefault(t *testing.T) {
	for value, want := range map[string]string{"fine": "defaulted", "coarse": "unattributed"} {
		run := oracletest.NewMixed(t)
		created := run.Create("bystander-1", oracletest.TwoPartsSpec)
		run.EditAnswer(created, oracletest.With(".spec.grain", value))
		run.ExpectFindings(`nothing-lost violation rule-2 dropped ` + want + ` bystander-1 .spec.grain in step 3 (upgrading 1/2)`)
	}
}

// What a custom resource is stored without, in another version than it was sent in, a conversion dropped. Near twins: the version
// that was sent, and a kind that is built in.
func TestNotAcceptedConverted(t *testing.T) {
	for _, c := range []struct{ defined, stored, want string }{
		{"widgets.example.dev", "example.dev/v2", "converted"}, {"widgets.example.dev", "example.dev/v1", "unattributed"}, {"gadgets.example.dev", "example.dev/v2", "unattributed"},
	} {
		run := oracletest.NewMixed(t)
		run.NamePlurals()
		run.History.Header.Plan.Manifests["definition"] = plan.Manifest{
			APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Body: oracletest.Object{"metadata": oracletest.Object{"name": c.defined}},
		}
		created := run.Create("bystander-1", oracletest.TwoPartsSpec)
		run.EditAnswer(created, oracletest.With(".spec.colour", nil))
		run.StoredChange("bystander-1").APIVersion = c.stored
		run.ExpectFindings(`nothing-lost violation rule-2 dropped ` + c.want + ` bystander-1 .spec.colour in step 3 (upgrading 1/2)`)
	}
}

// What a line sets, and the typed client's own body lacks, its types could not carry.
func TestNotAcceptedSinceNotSent(t *testing.T) {
	for client, want := range map[term.Client]string{term.NewTyped: "client-omitted", term.Dynamic: "unattributed"} {
		for _, sent := range []bool{true, false} {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", oracletest.TwoPartsSpec)
			put := run.Put("bystander-1", oracletest.By(client), oracletest.Set(".spec.colour", "blue"))
			run.EditAnswer(put, oracletest.With(".spec.colour", nil))
			x := run.Exchange(put, history.Act, "a")
			if !sent {
				x.Sent = run.Edited(x.Sent, ".spec.colour", nil)
			}
			cause := want
			if sent {
				cause = "unattributed"
			}
			run.ExpectFindings(`nothing-lost violation rule-2 dropped ` + cause + ` bystander-1 .spec.colour in step 4 (upgrading 1/2)`)
		}
	}
}

// A refusal is reported by the call's own check: whoever sent the value knows.
func TestRefusedIsNotDroppedInSilence(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", oracletest.TwoPartsSpec)
	run.Patch("bystander-1", oracletest.Set(".spec.colour", "blue"), oracletest.Refused(422, "spec.colour: Invalid"), oracletest.Respond(oracletest.Code(422)))
	run.ExpectFindings()
}
