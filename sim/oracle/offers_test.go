package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

const fine = `.status.conditions[type="Fine"].status`

// sends plays a patch that does what its sets say, and whose line gives the body.
func (s *story) sends(verb term.Verb, name string, body any, sets ...option) int {
	step := s.patchWith(verb, name, sets)
	s.bodyOf(step, body)
	s.recorded(step, history.Act, "a").Sent = s.blob(body)
	return step
}

// A kind that serves its status apart takes none from a create: it is not
// offered. Of one that does not, it is a value like any other.
func TestStatusOfACreate(t *testing.T) {
	for kind, want := range map[string][]string{
		"widget": nil,
		"gadget": {`nothing-lost violation rule-3 not-accepted unknown-field bystander-1 .status in step 3 (upgrading 1/2)`},
	} {
		s := mixed(t)
		created := s.create("bystander-1", `{"size": "1"}`, of(kind))
		x := s.recorded(created, history.Act, "a")
		x.Sent = s.bend(x.Sent, ".status", object{"phase": "Done"})
		s.finds(want...)
	}
}

// A status write changes the status and nothing else: what it names beside
// that is not withdrawn.
func TestStatusWriteWithdrawsTheStatusAlone(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	s.statusPatch("bystander-1", set(fine, "True"))
	s.statusPatch("bystander-1", set(fine, "False"), set(".spec.colour", "blue"))
	s.finds(`nothing-lost violation rule-6 changed unattributed bystander-1 .spec.colour in step 5 (upgrading 1/2)`)

	s = mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	s.patch("bystander-1", set(".spec.colour", "blue"))
	s.finds()
}

// A body with both parts offers the one that its call writes.
func TestBodyWithSpecAndStatus(t *testing.T) {
	body := object{"spec": object{"colour": "blue"}, "status": object{"conditions": []any{object{"type": "Fine", "status": "True"}}}}
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	s.sends(term.StatusPatch, "bystander-1", body, set(fine, "True"))
	s.finds()
	_, ledger := s.judge()
	if got := field(copyOf(t, ledger, "bystander-1"), fine); got != term.Kept {
		t.Errorf("the status is %q, want kept", got)
	}

	s = mixed(t)
	s.create("bystander-1", `{"size": "1"}`)
	s.sends(term.MergePatch, "bystander-1", body, set(".spec.notes.k", "v"))
	s.finds(`nothing-lost violation rule-2 not-accepted unattributed bystander-1 .spec.colour in step 4 (upgrading 1/2)`)
}

const hunter2, swordfish = "aHVudGVyMg==", "c3dvcmRmaXNo"

// What a Secret holds as text is stored among its data.
func TestStringDataOfACreate(t *testing.T) {
	for text, want := range map[string][]string{
		"hunter2":   nil,
		"swordfish": {`nothing-lost violation rule-2 not-accepted unattributed bystander-1 .data.password in step 3 (upgrading 1/2)`},
	} {
		s := mixed(t)
		created := s.create("bystander-1", `{"password": "`+hunter2+`"}`, of("secret"))
		x := s.recorded(created, history.Act, "a")
		x.Sent = s.blob(object{"apiVersion": "v1", "kind": "Secret", "stringData": object{"password": text}})
		s.finds(want...)
	}
}

// Text that is set later takes the place of the data of the same key, and of
// no other.
func TestStringDataThatIsSet(t *testing.T) {
	for key, want := range map[string][]string{
		"password": nil,
		"user":     {`nothing-lost violation rule-6 changed unattributed bystander-1 .data.password in step 4 (upgrading 1/2)`},
	} {
		s := mixed(t)
		s.create("bystander-1", `{"password": "`+hunter2+`"}`, of("secret"))
		step := s.patch("bystander-1", set(".data.password", swordfish), set(".data."+key, swordfish))
		s.names(step, map[string]any{".stringData." + key: "swordfish"})
		s.finds(want...)
	}
}

// names makes a step one that sets these values and no other.
func (s *story) names(step int, sets map[string]any) {
	a := act{sets: sets}
	for i := range s.h.Header.Plan.Stages {
		for j := range s.h.Header.Plan.Stages[i].Steps {
			if at := &s.h.Header.Plan.Stages[i].Steps[j]; at.Number == step {
				at.Change = a.change()
			}
		}
	}
}

// A strategic merge patch's directives are no values, and what they delete is
// not offered.
func TestStrategicDirectives(t *testing.T) {
	parts := func(elements ...any) object { return object{"spec": object{"parts": elements}} }
	cases := map[string]struct {
		body object
		want []string
	}{
		"an element deleted":   {parts(object{"name": "x", "$patch": "delete"}), nil},
		"the elements' order":  {object{"spec": object{"$setElementOrder/parts": []any{object{"name": "y"}}}}, nil},
		"a struct replaced":    {object{"spec": object{"finish": object{"$patch": "replace", "tone": "dark"}}}, nil},
		"a value beside it":    {parts(object{"name": "x", "$patch": "delete"}, object{"name": "y", "count": 9}), []string{`nothing-lost violation rule-2 not-accepted unattributed bystander-1 .spec.parts[name="y"].count in step 4 (upgrading 1/2)`}},
		"a value that is kept": {object{"spec": object{"finish": object{"$retainKeys": []any{"tone"}, "tone": "light"}}}, []string{`nothing-lost violation rule-2 not-accepted unattributed bystander-1 .spec.finish.tone in step 4 (upgrading 1/2)`}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			s.create("bystander-1", `{"parts": [{"name": "x"}, {"name": "y"}]}`)
			s.sends(term.StrategicPatch, "bystander-1", c.body, set(`.spec.parts[name="x"]`, nil), set(".spec.finish.tone", "dark"))
			s.finds(c.want...)
		})
	}
}

// Only a strategic merge patch has directives: elsewhere such a key is a key.
func TestDollarInAMergePatch(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	s.sends(term.MergePatch, "bystander-1", object{"spec": object{"notes": object{"$patch": "delete"}}}, set(".spec.notes.k", "v"))
	s.finds(`nothing-lost violation rule-2 not-accepted unattributed bystander-1 .spec.notes.$patch in step 4 (upgrading 1/2)`)
}
