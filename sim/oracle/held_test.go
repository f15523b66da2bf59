package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// deleteHeld is a DELETE that a finalizer holds up: the object stays, and is served.
func (s *story) deleteHeld(name string) int {
	d := s.begin(term.Delete, name, nil)
	s.store(name, ".metadata.finalizers", []any{"example.dev/held"})
	s.record(d, history.Act, d.step.Via, history.Exchange{Method: "DELETE", Code: 200})
	s.look(d)
	return d.step.Number
}

// An object that is being deleted is stored and served until it is gone: it is
// judged as any other.
func TestDeleteThatIsHeldUp(t *testing.T) {
	begin := func(t *testing.T) *story {
		s := tell(t)
		s.create("control-1", plainSpec)
		s.attempt("control-1")
		s.deleteHeld("control-1")
		s.stage("new", term.New, term.New)
		return s
	}
	begin(t).finds()

	s := begin(t)
	s.store("control-1", ".spec.size", "77")
	s.edge()
	s.finds(`nothing-lost violation rule-2 changed unattributed control-1 .spec.size in step 0 ()`)

	s = begin(t)
	s.listed(s.edge(), "a").Items = nil
	s.finds(`everything-decodes violation storage lost unattributed control-1  in step 6 (new)`)

	s = begin(t)
	fails(s.recorded(s.patch("control-1"), history.Look, "b"), 500, "unable to decode")
	s.finds(`everything-decodes violation storage undecodable unattributed control-1  in step 6 (new)`)

	s = begin(t)
	step := s.attempt("control-1")
	fails(&s.tried(step, "control-1", "a", term.LabelAttempt).Exchange, 422, "frozen")
	fails(&s.tried(step, "control-1", "a", term.FinalizerAttempt).Exchange, 422, "no new finalizers can be added if the object is being deleted")
	s.finds(`stays-writable violation stays-writable frozen unattributed control-1  in step 6 (new)`)
}

// Once what held it up has gone, so is the object, and its values are withdrawn;
// the next of its name is another.
func TestDeleteThatWasHeldUp(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", plainSpec)
	s.deleteHeld("bystander-1")
	last := s.begin(term.MergePatch, "bystander-1", []option{set(".metadata.finalizers", nil)})
	s.gone("bystander-1")
	s.record(last, history.Act, "a", history.Exchange{Method: "PATCH", Code: 200})
	s.look(last)
	s.edge()
	s.finds()
	_, ledger := s.judge()
	if got := field(copyOf(t, ledger, "bystander-1"), ".spec.colour"); got != term.Withdrawn {
		t.Errorf("after it is gone: %s, want withdrawn", got)
	}
	again := s.begin(term.Create, "bystander-1", nil)
	sent := object{"apiVersion": "example.dev/v1", "kind": "Widget", "metadata": object{"name": "bystander-1"}, "spec": object{"size": "2"}}
	s.write(again, sent, sent)
	s.edge()
	s.finds()
}

// What a copy on its way out was refused before the upgrade excuses no other.
func TestFinalizerOfACopyThatIsLeaving(t *testing.T) {
	s := tell(t)
	s.create("bystander-1", plainSpec)
	s.create("bystander-2", plainSpec)
	s.deleteHeld("bystander-2")
	before := s.attempt("bystander-1", "bystander-2")
	for _, replica := range []string{"a", "b"} {
		fails(&s.tried(before, "bystander-2", replica, term.FinalizerAttempt).Exchange, 422, "no new finalizers can be added if the object is being deleted")
	}
	s.stage("new", term.New, term.New)
	s.create("bystander-3", plainSpec)
	after := s.attempt("bystander-1", "bystander-2", "bystander-3")
	for _, name := range []string{"bystander-1", "bystander-2", "bystander-3"} {
		fails(&s.tried(after, name, "a", term.FinalizerAttempt).Exchange, 422, "frozen")
	}
	s.finds(
		`stays-writable violation stays-writable frozen unattributed bystander-1  in step 8 (new)`,
		`stays-writable violation stays-writable frozen unattributed bystander-3  in step 8 (new)`)
}
