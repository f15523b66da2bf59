package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// A plain list whose elements changed places has lost none of them: it is reported
// once, of the list. Where an element is another one, each is reported.
func TestReordered(t *testing.T) {
	for name, c := range map[string]struct {
		stored []any
		want   []string
	}{
		"another order": {[]any{"y", "x"}, []string{`nothing-lost violation rule-2 changed unattributed control-1 .spec.args in step 0 ()`}},
		"another value": {[]any{"y", "z"}, []string{
			`nothing-lost violation rule-2 changed unattributed control-1 .spec.args[0] in step 0 ()`,
			`nothing-lost violation rule-2 changed unattributed control-1 .spec.args[1] in step 0 ()`,
		}},
		"the same": {[]any{"x", "y"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := tell(t, term.Upgrade)
			s.create("control-1", `{"args": ["x", "y"]}`)
			s.store("control-1", ".spec.args", c.stored)
			s.edge()
			s.finds(c.want...)
		})
	}
}

// What client-side apply records is a client's value like any other, until the
// next such apply records anew.
func TestLastApplied(t *testing.T) {
	const at = `.metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]`
	begin := func() *story {
		s := mixed(t)
		s.blind = true // what its looks would show is not what its answer is made to
		created := s.create("bystander-1", `{"colour": "red"}`)
		s.blind = false
		s.born(created, term.ClientSideApply, 201, true)
		s.answered(created, with(at, "one"))
		x := s.recorded(created, history.Act, "a")
		x.Sent = s.bend(x.Sent, at, "one")
		return s
	}
	s := begin()
	s.store("bystander-1", at, "two")
	s.edge()
	s.finds(`nothing-lost violation rule-6 changed unattributed bystander-1 ` + at + ` in step 0 ()`)

	s = begin()
	s.store("bystander-1", at, "one")
	s.does(term.ClientSideApply, "bystander-1", object{"spec": object{}}, []edit{with(at, "two")}, via("a"), read("a"))
	s.edge()
	s.finds()
}
