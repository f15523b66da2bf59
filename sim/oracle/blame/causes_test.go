package blame_test

import (
	"fmt"
	"testing"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
)

// cutting is a body of a kind of patch, and the cause that it gives the loss of a
// value. The server does what a real one would.
type cutting struct {
	name    string
	verb    term.Verb
	body    any
	content string
	lost    string // the path of the finding
	cause   term.Cause
}

// Whether a patch took a value away is known from its body alone: what it says
// nothing of, some server lost.
func TestWhatPatchesCut(t *testing.T) {
	operation := func(op, at string, value any) []any {
		return []any{oracletest.Object{"op": op, "path": at, "value": value}}
	}
	cases := []cutting{
		{"a list without it", term.MergePatch, parts(part("x", 1)), "", oracletest.PartY, term.ListReplaced},
		{"a list with it", term.MergePatch, parts(part("x", 1), part("y", 2)), "", oracletest.PartY, term.Unattributed},
		{"a list beside it", term.MergePatch, oracletest.Spec(oracletest.Object{"tags": []any{"a"}}), "", oracletest.PartY, term.Unattributed},
		{"a label", term.MergePatch, oracletest.Object{"metadata": oracletest.Object{"labels": oracletest.Object{"a": "b"}}}, "", oracletest.PartY, term.Unattributed},
		{"a null above it", term.MergePatch, oracletest.Spec(nil), "", oracletest.PartY, term.Unattributed},
		{"a string above it", term.MergePatch, oracletest.Spec(oracletest.Object{"parts": "none"}), "", oracletest.PartY, term.Unattributed},
		{"the element with it", term.StrategicPatch, parts(part("y", 2)), "", oracletest.PartY, term.Unattributed},
		{"a neighbour of the element", term.StrategicPatch, parts(part("x", 9)), "", oracletest.PartY, term.Unattributed},
		{"a list replaced", term.StrategicPatch, parts(part("x", 1), oracletest.Object{"$patch": "replace"}), "", oracletest.PartY, term.ListReplaced},
		{"an atomic list", term.StrategicPatch, oracletest.Spec(oracletest.Object{"args": []any{"one"}}), "", ".spec.args[1]", term.ListReplaced},
		{"a list, as its content type says", term.ClientSideApply, parts(part("x", 1)), "application/strategic-merge-patch+json", oracletest.PartY, term.Unattributed},
		{"a list, as its other content type says", term.ClientSideApply, parts(part("x", 1)), "application/merge-patch+json", oracletest.PartY, term.ListReplaced},
		{"a list replaced by an operation", term.JSONPatch, operation("replace", "/spec/parts", []any{part("x", 1)}), "", oracletest.PartY, term.ListReplaced},
		{"a list replaced with it", term.JSONPatch, operation("replace", "/spec/parts", []any{part("x", 1), part("y", 2)}), "", oracletest.PartY, term.Unattributed},
		{"an element added", term.JSONPatch, operation("add", "/spec/parts/-", part("z", 1)), "", oracletest.PartY, term.Unattributed},
		{"a test", term.JSONPatch, operation("test", "/spec/parts", []any{}), "", oracletest.PartY, term.Unattributed},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", oracletest.TwoPartsSpec)
			options := []oracletest.Option{oracletest.Via("a"), oracletest.ReadVia("a")}
			number := run.Do(c.verb, "bystander-1", c.body, []oracletest.Edit{oracletest.With(c.lost, nil)}, options...)
			run.Exchange(number, history.Act, "a").ContentType = c.content
			run.ExpectFindings(fmt.Sprintf(`nothing-lost violation rule-6 lost %s bystander-1 %s in step 4 (upgrading 1/2)`, c.cause, c.lost))
		})
	}
}

// A patch that leaves a value alone did not lose it: where the server's gate is
// off, that did. One that took it away did, whatever the gate.
func TestWhatPatchesLeaveAlone(t *testing.T) {
	lustre := func(v any) oracletest.Object { return oracletest.Spec(oracletest.Object{"lustre": v}) }
	operation := func(op, at string) []any {
		return []any{oracletest.Object{"op": op, "path": at, "from": "/spec/lustre", "value": 1}}
	}
	cases := []struct {
		name string
		verb term.Verb
		body any
		left bool
	}{
		{"says nothing of it", term.MergePatch, oracletest.Spec(oracletest.Object{"colour": "blue"}), true},
		{"says nothing", term.MergePatch, oracletest.Object{}, true},
		{"takes it away", term.MergePatch, lustre(nil), false},
		{"takes its parent away", term.MergePatch, oracletest.Object{"spec": nil}, false},
		{"sends another", term.MergePatch, lustre(7), false},
		{"sends it", term.MergePatch, lustre(5), true},
		{"strategic: says nothing of it", term.StrategicPatch, oracletest.Spec(oracletest.Object{"colour": "blue"}), true},
		{"strategic: takes it away", term.StrategicPatch, lustre(nil), false},
		{"strategic: replaces what holds it", term.StrategicPatch, oracletest.Spec(oracletest.Object{"$patch": "replace", "colour": "blue"}), false},
		{"strategic: keeps other keys", term.StrategicPatch, oracletest.Spec(oracletest.Object{"$retainKeys": []any{"colour"}, "colour": "blue"}), false},
		{"strategic: keeps its key", term.StrategicPatch, oracletest.Spec(oracletest.Object{"$retainKeys": []any{"colour", "lustre"}, "colour": "blue"}), true},
		{"strategic: a list", term.StrategicPatch, parts(part("x", 2)), true},
		{"operation: elsewhere", term.JSONPatch, operation("replace", "/spec/colour"), true},
		{"operation: longer", term.JSONPatch, operation("replace", "/spec/lustre/deep"), true},
		{"operation: remove", term.JSONPatch, operation("remove", "/spec/lustre"), false},
		{"operation: remove above", term.JSONPatch, operation("remove", "/spec"), false},
		{"operation: move", term.JSONPatch, operation("move", "/spec/colour"), false},
		{"operation: copy", term.JSONPatch, operation("copy", "/spec/colour"), true},
		{"status", term.StatusPatch, oracletest.Object{"spec": nil}, true},
		{"scale", term.ScalePatch, oracletest.Object{"spec": nil}, true},
		{"computed: says nothing of it", term.MergeDiff, oracletest.Spec(oracletest.Object{"colour": "blue"}), true},
		{"computed: takes it away", term.StrategicDiff, lustre(nil), false},
		{"apply: sends it", term.Apply, lustre(5), true},
		{"apply: is not its owner", term.Apply, oracletest.Spec(oracletest.Object{"colour": "red"}), true},
		{"put: sends it", term.Put, lustre(5), true},
		{"put: sends another", term.Put, lustre(7), false},
		{"put: leaves it out", term.UnchangedPut, oracletest.Spec(oracletest.Object{"colour": "red"}), false},
		{"status put: sends no spec", term.StatusPut, oracletest.Object{"status": oracletest.Object{}}, true},
		{"scale put", term.ScalePut, oracletest.Spec(oracletest.Object{"replicas": 2}), true},
	}
	for _, c := range cases {
		for _, on := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, gate %t", c.name, on), func(t *testing.T) {
				run := oracletest.NewMixed(t)
				run.Create("bystander-1", oracletest.TwoPartsSpec, oracletest.Via("b"))
				run.SetGate(term.New, "Lustre", on)
				run.Do(c.verb, "bystander-1", c.body, []oracletest.Edit{oracletest.With(".spec.lustre", nil)}, oracletest.Via("a"), oracletest.ReadVia("a"))
				want := `rule-6 lost unattributed`
				if c.left && !on {
					want = `lifecycle lost gate-disabled`
				}
				run.ExpectFindings(`nothing-lost violation ` + want + ` bystander-1 .spec.lustre in step 4 (upgrading 1/2)`)
			})
		}
	}
}

// Two releases, one gate each: that of the server that wrote counts.
func TestGateOfTheOtherRelease(t *testing.T) {
	for via, want := range map[string]string{"a": "rule-6 lost unattributed", "b": "lifecycle lost gate-disabled"} {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", oracletest.TwoPartsSpec)
		run.SetGate(term.Old, "Lustre", false)
		run.SetGate(term.New, "Lustre", true)
		run.Do(term.MergePatch, "bystander-1", oracletest.Object{}, []oracletest.Edit{oracletest.With(".spec.lustre", nil)}, func(a *oracletest.Call) { a.Step.Via = via })
		run.ExpectFindings(`nothing-lost violation ` + want + ` bystander-1 .spec.lustre in step 4 (upgrading 1/2)`)
	}
}

// Whoever reads first, and is not shown a value, cannot send it back: by each
// verb that reads, and only where it then wrote over it.
func TestReadHiddenByVerb(t *testing.T) {
	whole := oracletest.Spec(oracletest.Object{"colour": "red"})
	list := parts(part("x", 1))
	owned := oracletest.Object{"f:spec": oracletest.Object{"f:shine": oracletest.Object{"f:level": oracletest.Object{}}}}
	cases := []struct {
		verb term.Verb
		body oracletest.Object
		want string
	}{
		{term.Put, whole, "read-hidden"},
		{term.UnchangedPut, whole, "read-hidden"},
		{term.MergeDiff, oracletest.Spec(oracletest.Object{"shine": nil}), "read-hidden"},
		{term.MergeDiff, list, "unattributed"},
		{term.StrategicDiff, oracletest.Spec(oracletest.Object{"$patch": "replace", "colour": "red"}), "read-hidden"},
		{term.ClientSideApply, oracletest.Spec(oracletest.Object{"shine": nil}), "read-hidden"},
		{term.ClientSideApply, list, "unattributed"},
		{term.ExtractApply, whole, "read-hidden"},
		{term.StatusPut, whole, "unattributed"},
		{term.ScalePut, whole, "unattributed"},
	}
	for _, c := range cases {
		t.Run(fmt.Sprint(c.verb, " ", c.want), func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("treated-1", oracletest.ShineSpec)
			applied(run, "treated-1", plan.DefaultManager, owned)
			run.Observe()
			run.Do(c.verb, "treated-1", c.body, []oracletest.Edit{oracletest.With(".spec.shine", nil)}, oracletest.Via("a"), oracletest.ReadVia("b"))
			run.ExpectFindings(`nothing-lost impact rule-6 lost ` + c.want + ` treated-1 .spec.shine in step 5 (upgrading 1/2)`)
		})
	}
}

// A list that was read through a server which hides what is in it, and sent
// back whole, is the read's fault; of one that was shown, the patch's.
func TestListThatWasReadHidden(t *testing.T) {
	for through, want := range map[string]string{"a": "list-replaced", "b": "read-hidden"} {
		run := oracletest.NewMixed(t)
		newPart(run)
		run.Create("treated-1", `{"colour": "red", "parts": [{"name": "x", "weight": 7}]}`)
		run.Do(term.MergeDiff, "treated-1", parts(oracletest.Object{"name": "x"}), []oracletest.Edit{oracletest.With(`.spec.parts[name="x"].weight`, nil)}, oracletest.Via("a"), oracletest.ReadVia(through))
		run.ExpectFindings(`nothing-lost impact rule-6 lost ` + want + ` treated-1 .spec.parts[name="x"].weight in step 4 (upgrading 1/2)`)
	}
}

// What a typed client was shown, and its types have no place for, it omits: by
// a whole body, and by a computed patch that takes it away.
func TestClientOmittedByVerb(t *testing.T) {
	cases := []struct {
		verb term.Verb
		body oracletest.Object
		want string
	}{
		{term.Put, oracletest.Spec(oracletest.Object{"colour": "red"}), "client-omitted"},
		{term.UnchangedPut, oracletest.Spec(oracletest.Object{"colour": "red"}), "client-omitted"},
		{term.MergeDiff, oracletest.Spec(oracletest.Object{"shine": nil}), "client-omitted"},
		{term.StrategicDiff, oracletest.Spec(oracletest.Object{"shine": nil}), "client-omitted"},
		{term.MergeDiff, oracletest.Spec(oracletest.Object{"colour": "red"}), "unattributed"},
		{term.StatusPut, oracletest.Spec(oracletest.Object{"colour": "red"}), "unattributed"},
	}
	for _, c := range cases {
		for client, want := range map[term.Client]string{term.OldTyped: c.want, term.NewTyped: "unattributed"} {
			t.Run(fmt.Sprint(c.verb, " ", client), func(t *testing.T) {
				run := oracletest.NewMixed(t)
				run.Create("treated-1", oracletest.ShineSpec)
				run.Do(c.verb, "treated-1", c.body, []oracletest.Edit{oracletest.With(".spec.shine", nil)}, oracletest.Via("a"), oracletest.ReadVia("a"), oracletest.By(client))
				run.ExpectFindings(`nothing-lost impact rule-6 lost ` + want + ` treated-1 .spec.shine in step 4 (upgrading 1/2)`)
			})
		}
	}
}

// An old server is to blame before anything that a client sent.
func TestUnknownFieldByVerb(t *testing.T) {
	for _, entry := range term.Verbs() {
		verb := entry.Word
		if !verb.Modifies() {
			continue
		}
		t.Run(string(verb), func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("treated-1", oracletest.ShineSpec)
			run.Do(verb, "treated-1", oracletest.Object{}, nil, oracletest.Via("b"), oracletest.ReadVia("a"))
			run.ExpectFindings(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`)
		})
	}
}

// Evidence that contradicts what a release publishes names no cause: a server
// that knows the field did not show it, or a client that knows it dropped it.
func TestContradictedCauses(t *testing.T) {
	drop := func(run *oracletest.Run, put int) {
		x := run.Exchange(put, history.Act, "a")
		x.Sent = run.Edited(x.Sent, ".spec.colour", nil)
	}
	for name, reported := range map[string]func(*oracletest.Run, int){
		"the client has no types, and dropped what it had read": func(run *oracletest.Run, put int) {
			drop(run, put)
			setClient(run, put, term.Dynamic)
		},
		"the read release publishes the field": func(run *oracletest.Run, put int) {
			x := run.Exchange(put, history.Read, "a")
			x.Answer = run.Edited(x.Answer, ".spec.colour", nil)
		},
		"the client's types declare the field": drop,
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", `{"colour": "red", "size": "1"}`)
			put := run.Put("bystander-1", oracletest.By(term.OldTyped), oracletest.ReadVia("a"), oracletest.Via("a"))
			for _, replica := range []string{"a", "b"} {
				x := run.Exchange(put, history.Look, replica)
				x.Answer = run.Edited(x.Answer, ".spec.colour", nil)
			}
			reported(run, put)
			for i := range run.History.Operations { // a read that lacks it would be reported itself
				if op := &run.History.Operations[i]; op.Purpose == history.Read {
					op.Exchange.Revision = 0
				}
			}
			run.ExpectFindings(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 4 (upgrading 1/2)`)
		})
	}
}

// setClient makes a step another client's.
func setClient(run *oracletest.Run, step int, client term.Client) {
	for i := range run.History.Operations {
		if op := &run.History.Operations[i]; op.Step == step {
			op.Client = client
		}
	}
}

// newPart lets the new release publish .spec.parts[].weight as well.
func newPart(run *oracletest.Run) {
	document := oracletest.Document(run.T, oracletest.Definitions(term.New))
	at := oracletest.Path(run.T, `.components.schemas["dev.example.v1.Widget"].properties.spec.properties.parts.items.properties.weight`)
	if err := path.Set(document, at, oracletest.Scalar("integer")); err != nil {
		run.T.Fatal(err)
	}
	run.Schemas[term.New] = oracletest.Schema(run.T, document)
}
