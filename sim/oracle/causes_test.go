package oracle_test

import (
	"fmt"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

const (
	partY    = `.spec.parts[name="y"]`
	twoParts = `{"colour": "red", "parts": [{"name": "x", "count": 1}, {"name": "y", "count": 2}], "lustre": 5, "grain": "rough", "args": ["one", "two"], "finish": {"tone": "dark"}}`
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
	operation := func(op, at string, value any) []any { return []any{object{"op": op, "path": at, "value": value}} }
	cases := []cutting{
		{"a list without it", term.MergePatch, parts(part("x", 1)), "", partY, term.ListReplaced},
		{"a list with it", term.MergePatch, parts(part("x", 1), part("y", 2)), "", partY, term.Unattributed},
		{"a list beside it", term.MergePatch, spec(object{"tags": []any{"a"}}), "", partY, term.Unattributed},
		{"a label", term.MergePatch, object{"metadata": object{"labels": object{"a": "b"}}}, "", partY, term.Unattributed},
		{"a null above it", term.MergePatch, spec(nil), "", partY, term.Unattributed},
		{"a string above it", term.MergePatch, spec(object{"parts": "none"}), "", partY, term.Unattributed},
		{"the element with it", term.StrategicPatch, parts(part("y", 2)), "", partY, term.Unattributed},
		{"a neighbour of the element", term.StrategicPatch, parts(part("x", 9)), "", partY, term.Unattributed},
		{"a list replaced", term.StrategicPatch, parts(part("x", 1), object{"$patch": "replace"}), "", partY, term.ListReplaced},
		{"an atomic list", term.StrategicPatch, spec(object{"args": []any{"one"}}), "", ".spec.args[1]", term.ListReplaced},
		{"a list, as its content type says", term.ClientSideApply, parts(part("x", 1)), "application/strategic-merge-patch+json", partY, term.Unattributed},
		{"a list, as its other content type says", term.ClientSideApply, parts(part("x", 1)), "application/merge-patch+json", partY, term.ListReplaced},
		{"a list replaced by an operation", term.JSONPatch, operation("replace", "/spec/parts", []any{part("x", 1)}), "", partY, term.ListReplaced},
		{"a list replaced with it", term.JSONPatch, operation("replace", "/spec/parts", []any{part("x", 1), part("y", 2)}), "", partY, term.Unattributed},
		{"an element added", term.JSONPatch, operation("add", "/spec/parts/-", part("z", 1)), "", partY, term.Unattributed},
		{"a test", term.JSONPatch, operation("test", "/spec/parts", []any{}), "", partY, term.Unattributed},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := mixed(t)
			s.create("bystander-1", twoParts)
			options := []option{via("a"), read("a")}
			number := s.does(c.verb, "bystander-1", c.body, []edit{with(c.lost, nil)}, options...)
			s.recorded(number, history.Act, "a").ContentType = c.content
			s.finds(fmt.Sprintf(`nothing-lost violation rule-6 lost %s bystander-1 %s in step 4 (upgrading 1/2)`, c.cause, c.lost))
		})
	}
}

// A patch that leaves a value alone did not lose it: where the server's gate is
// off, that did. One that took it away did, whatever the gate.
func TestWhatPatchesLeaveAlone(t *testing.T) {
	lustre := func(v any) object { return spec(object{"lustre": v}) }
	operation := func(op, at string) []any {
		return []any{object{"op": op, "path": at, "from": "/spec/lustre", "value": 1}}
	}
	cases := []struct {
		name string
		verb term.Verb
		body any
		left bool
	}{
		{"says nothing of it", term.MergePatch, spec(object{"colour": "blue"}), true},
		{"says nothing", term.MergePatch, object{}, true},
		{"takes it away", term.MergePatch, lustre(nil), false},
		{"takes its parent away", term.MergePatch, object{"spec": nil}, false},
		{"sends another", term.MergePatch, lustre(7), false},
		{"sends it", term.MergePatch, lustre(5), true},
		{"strategic: says nothing of it", term.StrategicPatch, spec(object{"colour": "blue"}), true},
		{"strategic: takes it away", term.StrategicPatch, lustre(nil), false},
		{"strategic: replaces what holds it", term.StrategicPatch, spec(object{"$patch": "replace", "colour": "blue"}), false},
		{"strategic: keeps other keys", term.StrategicPatch, spec(object{"$retainKeys": []any{"colour"}, "colour": "blue"}), false},
		{"strategic: keeps its key", term.StrategicPatch, spec(object{"$retainKeys": []any{"colour", "lustre"}, "colour": "blue"}), true},
		{"strategic: a list", term.StrategicPatch, parts(part("x", 2)), true},
		{"operation: elsewhere", term.JSONPatch, operation("replace", "/spec/colour"), true},
		{"operation: longer", term.JSONPatch, operation("replace", "/spec/lustre/deep"), true},
		{"operation: remove", term.JSONPatch, operation("remove", "/spec/lustre"), false},
		{"operation: remove above", term.JSONPatch, operation("remove", "/spec"), false},
		{"operation: move", term.JSONPatch, operation("move", "/spec/colour"), false},
		{"operation: copy", term.JSONPatch, operation("copy", "/spec/colour"), true},
		{"status", term.StatusPatch, object{"spec": nil}, true},
		{"scale", term.ScalePatch, object{"spec": nil}, true},
		{"computed: says nothing of it", term.MergeDiff, spec(object{"colour": "blue"}), true},
		{"computed: takes it away", term.StrategicDiff, lustre(nil), false},
		{"apply: sends it", term.Apply, lustre(5), true},
		{"apply: is not its owner", term.Apply, spec(object{"colour": "red"}), true},
		{"put: sends it", term.Put, lustre(5), true},
		{"put: sends another", term.Put, lustre(7), false},
		{"put: leaves it out", term.UnchangedPut, spec(object{"colour": "red"}), false},
		{"status put: sends no spec", term.StatusPut, object{"status": object{}}, true},
		{"scale put", term.ScalePut, spec(object{"replicas": 2}), true},
	}
	for _, c := range cases {
		for _, on := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, gate %t", c.name, on), func(t *testing.T) {
				s := mixed(t)
				s.create("bystander-1", twoParts, via("b"))
				s.gates(term.New, "Lustre", on)
				s.does(c.verb, "bystander-1", c.body, []edit{with(".spec.lustre", nil)}, via("a"), read("a"))
				want := `rule-6 lost unattributed`
				if c.left && !on {
					want = `lifecycle lost gate-disabled`
				}
				s.finds(`nothing-lost violation ` + want + ` bystander-1 .spec.lustre in step 4 (upgrading 1/2)`)
			})
		}
	}
}

// Two releases, one gate each: that of the server that wrote counts.
func TestGateOfTheOtherRelease(t *testing.T) {
	for via, want := range map[string]string{"a": "rule-6 lost unattributed", "b": "lifecycle lost gate-disabled"} {
		s := mixed(t)
		s.create("bystander-1", twoParts)
		s.gates(term.Old, "Lustre", false)
		s.gates(term.New, "Lustre", true)
		s.does(term.MergePatch, "bystander-1", object{}, []edit{with(".spec.lustre", nil)}, func(a *act) { a.step.Via = via })
		s.finds(`nothing-lost violation ` + want + ` bystander-1 .spec.lustre in step 4 (upgrading 1/2)`)
	}
}

// Whoever reads first, and is not shown a value, cannot send it back: by each
// verb that reads, and only where it then wrote over it.
func TestReadHiddenByVerb(t *testing.T) {
	whole := spec(object{"colour": "red"})
	list := parts(part("x", 1))
	owned := object{"f:spec": object{"f:shine": object{"f:level": object{}}}}
	cases := []struct {
		verb term.Verb
		body object
		want string
	}{
		{term.Put, whole, "read-hidden"},
		{term.UnchangedPut, whole, "read-hidden"},
		{term.MergeDiff, spec(object{"shine": nil}), "read-hidden"},
		{term.MergeDiff, list, "unattributed"},
		{term.StrategicDiff, spec(object{"$patch": "replace", "colour": "red"}), "read-hidden"},
		{term.ClientSideApply, spec(object{"shine": nil}), "read-hidden"},
		{term.ClientSideApply, list, "unattributed"},
		{term.ExtractApply, whole, "read-hidden"},
		{term.StatusPut, whole, "unattributed"},
		{term.ScalePut, whole, "unattributed"},
	}
	for _, c := range cases {
		t.Run(fmt.Sprint(c.verb, " ", c.want), func(t *testing.T) {
			s := mixed(t)
			s.create("treated-1", onlyShine)
			s.applied("treated-1", plan.DefaultManager, owned)
			s.edge()
			s.does(c.verb, "treated-1", c.body, []edit{with(".spec.shine", nil)}, via("a"), read("b"))
			s.finds(`nothing-lost impact rule-6 lost ` + c.want + ` treated-1 .spec.shine in step 5 (upgrading 1/2)`)
		})
	}
}

// A list that was read through a server which hides what is in it, and sent
// back whole, is the read's fault; of one that was shown, the patch's.
func TestListThatWasReadHidden(t *testing.T) {
	for through, want := range map[string]string{"a": "list-replaced", "b": "read-hidden"} {
		s := mixed(t)
		s.newPart()
		s.create("treated-1", `{"colour": "red", "parts": [{"name": "x", "weight": 7}]}`)
		s.does(term.MergeDiff, "treated-1", parts(object{"name": "x"}), []edit{with(`.spec.parts[name="x"].weight`, nil)}, via("a"), read(through))
		s.finds(`nothing-lost impact rule-6 lost ` + want + ` treated-1 .spec.parts[name="x"].weight in step 4 (upgrading 1/2)`)
	}
}

// What a typed client was shown, and its types have no place for, it omits: by
// a whole body, and by a computed patch that takes it away.
func TestClientOmittedByVerb(t *testing.T) {
	cases := []struct {
		verb term.Verb
		body object
		want string
	}{
		{term.Put, spec(object{"colour": "red"}), "client-omitted"},
		{term.UnchangedPut, spec(object{"colour": "red"}), "client-omitted"},
		{term.MergeDiff, spec(object{"shine": nil}), "client-omitted"},
		{term.StrategicDiff, spec(object{"shine": nil}), "client-omitted"},
		{term.MergeDiff, spec(object{"colour": "red"}), "unattributed"},
		{term.StatusPut, spec(object{"colour": "red"}), "unattributed"},
	}
	for _, c := range cases {
		for client, want := range map[term.Client]string{term.OldTyped: c.want, term.NewTyped: "unattributed"} {
			t.Run(fmt.Sprint(c.verb, " ", client), func(t *testing.T) {
				s := mixed(t)
				s.create("treated-1", onlyShine)
				s.does(c.verb, "treated-1", c.body, []edit{with(".spec.shine", nil)}, via("a"), read("a"), by(client))
				s.finds(`nothing-lost impact rule-6 lost ` + want + ` treated-1 .spec.shine in step 4 (upgrading 1/2)`)
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
			s := mixed(t)
			s.create("treated-1", onlyShine)
			s.does(verb, "treated-1", object{}, nil, via("b"), read("a"))
			s.finds(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`)
		})
	}
}
