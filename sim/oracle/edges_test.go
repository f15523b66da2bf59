package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// Where nothing at all was acknowledged, that itself is reported.
func TestNothingAcknowledged(t *testing.T) {
	s := mixed(t)
	s.create("treated-1", `{"shine": {"level": 3}}`, via("b"))
	s.edge()
	s.finds(`nothing-lost impact rule-3 not-accepted unknown-field treated-1 .spec.shine in step 3 (upgrading 1/2)`)
	_, ledger := s.judge()
	if f := copyOf(t, ledger, "treated-1").Fields; len(f) != 1 || f[0].Step != 0 || f[0].State != term.NotAccepted {
		t.Errorf("fields: %+v", f)
	}
}

// Evidence that contradicts what a release publishes names no cause: a server
// that knows the field did not show it, or a client that knows it dropped it.
func TestContradictedCauses(t *testing.T) {
	drop := func(s *story, put int) {
		x := s.recorded(put, history.Act, "a")
		x.Sent = s.bend(x.Sent, ".spec.colour", nil)
	}
	for name, told := range map[string]func(*story, int){
		"the client has no types, and dropped what it had read": func(s *story, put int) {
			drop(s, put)
			s.clientOf(put, term.Dynamic)
		},
		"the read release publishes the field": func(s *story, put int) {
			x := s.recorded(put, history.Read, "a")
			x.Answer = s.bend(x.Answer, ".spec.colour", nil)
		},
		"the client's types declare the field": drop,
	} {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			s.create("bystander-1", `{"colour": "red", "size": "1"}`)
			put := s.put("bystander-1", by(term.OldTyped), read("a"), via("a"))
			for _, replica := range []string{"a", "b"} {
				x := s.recorded(put, history.Look, replica)
				x.Answer = s.bend(x.Answer, ".spec.colour", nil)
			}
			told(s, put)
			for i := range s.h.Operations { // a read that lacks it would be reported itself
				if op := &s.h.Operations[i]; op.Purpose == history.Read {
					op.Exchange.Revision = 0
				}
			}
			s.finds(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 4 (upgrading 1/2)`)
		})
	}
}

// clientOf makes a step another client's.
func (s *story) clientOf(step int, client term.Client) {
	for i := range s.h.Operations {
		if op := &s.h.Operations[i]; op.Step == step {
			op.Client = client
		}
	}
}

// A value that changes twice is reported twice.
func TestChangedTwice(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	for _, value := range []any{"blue", "green"} {
		s.store("bystander-1", ".spec.colour", value)
		s.edge()
	}
	one := `nothing-lost violation rule-6 changed unattributed bystander-1 .spec.colour in step 0 ()`
	s.finds(one, one)
}

// A value that is lost, comes back and is lost again is reported twice.
func TestLostTwice(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red", "size": "1"}`)
	for _, value := range []any{nil, "red", nil} {
		s.store("bystander-1", ".spec.colour", value)
		s.edge()
	}
	one := `nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`
	s.finds(one, one)
}

// An empty map is a place that servers may fill; it is lost when it is gone.
func TestEmptyContainer(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red", "notes": {}}`)
	s.store("bystander-1", ".spec.notes", object{"k": "v"})
	s.edge()
	s.finds()
	s.store("bystander-1", ".spec.notes", nil)
	s.edge()
	s.finds(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.notes in step 0 ()`)
}

// What was lost before an operation named it was lost all the same.
func TestLostBeforeItWasWithdrawn(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red", "size": "1"}`)
	s.store("bystander-1", ".spec.colour", nil)
	s.edge()
	s.patch("bystander-1", set(".spec.colour", "blue"))
	s.finds(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`)
}

// An object that is gone is everything-decodes' to tell: nothing about its
// values is open.
func TestGoneLeavesNothingOpen(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	s.gone("bystander-1")
	s.edge()
	res, _ := s.judge()
	verdict(t, check(t, res, term.CheckNothingLost), term.Pass, "")
	verdict(t, check(t, res, term.CheckEverythingDecodes), term.Fail, "2 findings not expected, 0 expectations not met")
}

// What is known to be lost stays so, though nothing that knows it looks again.
func TestLostIsNotOpen(t *testing.T) {
	s := mixed(t, term.Upgrade, term.Rollback)
	s.create("treated-1", onlyShine)
	s.patch("treated-1", via("b"))
	s.stage("rolled-back", term.Old, term.Old)
	s.patch("treated-1", via("b"))
	res := s.finds(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`)
	if got := check(t, res, term.CheckNothingLost).Indeterminate; got != 0 {
		t.Errorf("indeterminate %d, want 0", got)
	}
}

// A write that changes nothing answers with the revision of the one before
// it, and is not to blame for that.
func TestWriteThatChangesNothing(t *testing.T) {
	s := mixed(t)
	s.create("treated-1", onlyShine)
	s.patch("treated-1", via("b"))
	s.patch("treated-1", via("b"), set(".spec.colour", "red"))
	s.finds(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`)
}

// One revision in which the store's record has another object does not make
// that object's key the copy's.
func TestRevisionOfAnotherObject(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	s.edge()
	s.patch("bystander-1")
	s.h.Changes[1].Key = "/example/other"
	res := s.finds()
	verdict(t, check(t, res, term.CheckNothingLost), term.Unknown,
		"1 facts are indeterminate: the record of the store lacks revision 12, which an answer about bystander-1 carries")
}

// Where each release shows another value, the newest says what it became.
func TestTwoOtherValues(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	s.store("bystander-1", ".spec.colour", "blue")
	item := &s.listed(s.edge(), "b").Items[0]
	item.Answer = s.bend(item.Answer, ".spec.colour", "green")
	res := s.finds(`nothing-lost violation rule-6 changed unattributed bystander-1 .spec.colour in step 0 ()`)
	if res.Findings[0].After != "blue" {
		t.Errorf("after: %v, want blue", res.Findings[0].After)
	}
}

// managedFields hold names of fields and no values of them: they are no difference.
func TestManagedFieldsAreNoDifference(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	s.store("bystander-1", ".metadata.managedFields", []any{object{"manager": "m"}})
	s.edge()
	_, ledger := s.judge()
	for _, row := range copyOf(t, ledger, "bystander-1").Rows {
		for _, v := range row.Views {
			if len(v.Diff) > 0 {
				t.Errorf("step %d through %s: %+v", row.Step, v.Replica, v.Diff)
			}
		}
	}
}
