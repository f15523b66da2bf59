package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// mixed tells a story up to the moment when a runs the new release and b the old.
func mixed(t testing.TB, journey ...term.Rollout) *story {
	s := tell(t, journey...) // step 1
	s.stage("upgrading 1/2", term.New, term.Old)
	return s // step 2
}

const onlyShine = `{"colour": "red", "shine": {"level": 3}}`

// A write through the old release drops what it does not know; a read only
// does not show it.
func TestLostOrMerelyHidden(t *testing.T) {
	s := mixed(t)
	created := s.create("treated-1", onlyShine) // step 3
	s.get("treated-1", via("b"))
	s.finds()
	_, ledger := s.judge()
	c := copyOf(t, ledger, "treated-1")
	if got := stateSeen(t, c, created, "b", ".spec.shine.level"); got != term.Hidden {
		t.Errorf("through old: %s, want hidden", got)
	}
	if got := stateSeen(t, c, created, "a", ".spec.shine.level"); got != term.Kept {
		t.Errorf("through new: %s, want kept", got)
	}
	if got := field(c, ".spec.shine.level"); got != term.Kept || c.State != term.Hidden {
		t.Errorf("ends %s, worst %s; want kept, hidden", got, c.State)
	}

	touched := s.patch("treated-1", via("b")) // step 5
	res := s.finds(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 5 (upgrading 1/2)`)
	_, ledger = s.judge()
	c = copyOf(t, ledger, "treated-1")
	for _, replica := range []string{"a", "b"} {
		if got := stateSeen(t, c, touched, replica, ".spec.shine.level"); got != term.Lost {
			t.Errorf("through %s after the write: %s, want lost", replica, got)
		}
	}
	f := res.Findings[0]
	want := `Widget treated-1: .spec.shine = {"level":3}, acknowledged in step 3 (v2.0.0), was lost in step 5 (upgrading 1/2): merge-patch by dynamic, via b (v1.0.0); unknown-field: a server whose release does not know the field rewrote the object; impact under rule-6`
	if f.Message != want {
		t.Errorf("message:\n%s\nwant:\n%s", f.Message, want)
	}
	if f.Via != term.Old || f.Release != oldVersion || f.Replica != "b" || f.Verb != term.MergePatch || f.Client != term.Dynamic || f.AcknowledgedStep != created {
		t.Errorf("finding: %+v", f)
	}
}

// The same value taken away by an operation that names it, above it, and by
// one that leaves it out.
func TestWithdrawnOrLeftOut(t *testing.T) {
	for _, named := range []string{".spec.shine.level", ".spec.shine", ".spec"} {
		s := mixed(t)
		s.create("treated-1", `{"shine": {"level": 3}}`)
		put := s.put("treated-1", via("a"), set(named, nil))
		s.finds()
		_, ledger := s.judge()
		c := copyOf(t, ledger, "treated-1")
		if got := field(c, ".spec.shine.level"); got != term.Withdrawn || c.State != term.Hidden {
			t.Errorf("%s named: %s, the copy %s; want withdrawn, hidden (by old, before)", named, got, c.State)
		}
		if got := stateSeen(t, c, put, "a", ".spec.shine.level"); got != term.Kept {
			t.Errorf("%s named: the row says %s; want kept: there is nothing to keep any more", named, got)
		}
	}
	s := mixed(t)
	s.create("treated-1", `{"colour": "red", "shine": {"level": 3}}`)
	s.put("treated-1", by(term.OldTyped), via("a"))
	s.finds(`nothing-lost impact rule-6 lost client-omitted treated-1 .spec.shine in step 4 (upgrading 1/2)`)
}

// A neighbour's name withdraws nothing.
func TestNamingANeighbourWithdrawsNothing(t *testing.T) {
	s := mixed(t)
	s.create("treated-1", onlyShine)
	s.patch("treated-1", via("b"), set(".spec.colour", "blue"))
	s.finds(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`)
}

func TestReadHidden(t *testing.T) {
	s := mixed(t)
	s.create("treated-1", onlyShine)
	s.put("treated-1", read("b"), via("a"))
	s.finds(`nothing-lost impact rule-6 lost read-hidden treated-1 .spec.shine in step 4 (upgrading 1/2)`)

	s = mixed(t)
	s.create("treated-1", onlyShine)
	s.put("treated-1", read("a"), via("a"))
	s.finds()
}

// Causes are given only where the evidence shows them.
func TestUnattributed(t *testing.T) {
	stories := map[string]func(*story){
		"a patch through the new release": func(s *story) {
			s.store("treated-1", ".spec.shine", nil)
			s.patch("treated-1", via("a"))
			s.h.Changes[1].Revision = 999 // elsewhere: what the patch met is no longer there
			s.h.Changes[1].Key = "/example/other"
		},
		"a dynamic client that sends what it read": func(s *story) {
			s.put("treated-1", via("a"))
			s.h.Changes = s.h.Changes[:1]
			s.store("treated-1", ".spec.shine", nil)
			s.h.Changes[1].Revision = 12
			for i := range s.h.Operations {
				if x := &s.h.Operations[i].Exchange; x.Revision == 12 {
					x.Answer = s.blob(s.served("treated-1", s.h.Operations[i].Role))
				}
			}
		},
	}
	for name, bad := range stories {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			s.create("treated-1", onlyShine)
			bad(s)
			s.finds(`nothing-lost impact rule-6 lost unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`)
		})
	}
}

// A write by nobody loses as well as any.
func TestServersOwnWrite(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red", "size": "1"}`)
	s.store("bystander-1", ".status", object{"conditions": []any{object{"type": "Fine", "status": "True"}}})
	s.edge()
	s.finds()

	s.store("bystander-1", ".spec.colour", nil)
	s.edge()
	res := s.finds(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`)
	want := `Widget bystander-1: .spec.colour = "red", acknowledged in step 3 (v2.0.0), was lost after step 4 (upgrading 1/2) and before step 5 (upgrading 1/2): a write that no step asked for (the servers' own); unattributed: the evidence does not say why; violation under rule-6`
	if got := res.Findings[0].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
}

// While only the old release looks, nothing shows what it lost. The first
// write that cannot have kept the value is to blame, not the one after which
// it is seen to be gone.
func TestLossFoundLater(t *testing.T) {
	s := mixed(t)
	s.create("treated-1", onlyShine)
	s.stage("rolled-back", term.Old, term.Old)
	first := s.patch("treated-1", via("a")) // step 5
	s.patch("treated-1", via("b"))
	s.stage("re-upgrading 1/2", term.New, term.Old)
	s.edge()
	s.patch("treated-1", via("a"))
	s.finds(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 5 (rolled-back)`)
	_, ledger := s.judge()
	if got := stateSeen(t, copyOf(t, ledger, "treated-1"), first, "a", ".spec.shine.level"); got != term.Lost {
		t.Errorf("right after: %s, want lost, as later evidence shows", got)
	}
}

// A journey that ends rolled back leaves it open whether a value is lost.
func TestEndsRolledBack(t *testing.T) {
	s := mixed(t, term.Upgrade, term.Rollback)
	s.create("treated-1", onlyShine)
	s.stage("rolled-back", term.Old, term.Old)
	s.edge()
	res := s.finds() // only hidden: nothing wrote it
	verdict(t, check(t, res, term.CheckNothingLost), term.Pass, "")

	touched := s.patch("treated-1", via("a"))
	res = s.finds()
	reason := "1 facts are indeterminate: no release that knows the field read the object after its last write; a journey that ends with an upgrade lets the new release read everything"
	verdict(t, check(t, res, term.CheckNothingLost), term.Unknown, reason)
	if res.Verdict != term.Unknown || res.Reason != "nothing-lost: "+reason {
		t.Errorf("%s: %s", res.Verdict, res.Reason)
	}
	_, ledger := s.judge()
	c := copyOf(t, ledger, "treated-1")
	if field(c, ".spec.shine.level") != term.Indeterminate || field(c, ".spec.colour") != term.Kept {
		t.Errorf("fields: %+v", c.Fields)
	}
	if got := stateSeen(t, c, touched, "a", ".spec.shine.level"); got != term.Indeterminate {
		t.Errorf("in the row: %s, want indeterminate", got)
	}
}

// What is gone together is reported once, at the topmost path that is gone, but
// not above what the old release knows as well.
func TestReportedOnceAtTheTop(t *testing.T) {
	s := mixed(t)
	s.create("treated-1", `{"shine": {"level": 3, "hue": {"base": "warm"}}, "finish": {"gloss": 7}}`)
	s.patch("treated-1", via("b"))
	res := s.finds(
		`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.finish.gloss in step 4 (upgrading 1/2)`,
		`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`)
	if before := jsonOf(t, res.Findings[1].Before); before != `{"hue":{"base":"warm"},"level":3}` {
		t.Errorf("before: %s", before)
	}
}

// The member that only new publishes was all that a struct held, and the
// struct goes with it: that is the change's impact still, for nothing else was lost.
func TestLossDoesNotClimbOutOfTheChange(t *testing.T) {
	s := mixed(t)
	s.create("treated-1", `{"colour": "red", "finish": {"gloss": 7}}`)
	s.store("treated-1", ".spec.finish", nil)
	s.edge()
	s.finds(`nothing-lost impact rule-6 lost unattributed treated-1 .spec.finish.gloss in step 0 ()`)

	s = mixed(t)
	s.create("treated-1", `{"colour": "red", "finish": {"gloss": 7, "tone": "dark"}}`)
	s.store("treated-1", ".spec.finish", nil)
	s.edge()
	s.finds(
		`nothing-lost violation rule-2 lost unattributed treated-1 .spec.finish in step 0 ()`,
		`nothing-lost impact rule-6 lost unattributed treated-1 .spec.finish.gloss in step 0 ()`)
}

// Losses of objects that use the change are impacts; of others, violations.
func TestClasses(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", onlyShine)
	s.patch("bystander-1", via("b"))
	s.finds(`nothing-lost violation rule-6 lost unknown-field bystander-1 .spec.shine in step 4 (upgrading 1/2)`)

	s = mixed(t)
	s.create("treated-1", `{"colour": "red", "size": "1"}`)
	s.store("treated-1", ".spec.colour", nil)
	s.edge()
	s.finds(`nothing-lost violation rule-2 lost unattributed treated-1 .spec.colour in step 0 ()`)
}

// What was never acknowledged cannot be lost: that it was dropped is reported.
func TestNotAccepted(t *testing.T) {
	s := mixed(t)
	s.create("treated-1", onlyShine, via("b"), warned(`unknown field "spec.shine"`))
	s.edge()
	res := s.finds(`nothing-lost impact rule-3 not-accepted unknown-field treated-1 .spec.shine in step 3 (upgrading 1/2)`)
	if want := `Widget treated-1: .spec.shine = {"level":3}, sent in step 3 (upgrading 1/2: create by dynamic, via b (v1.0.0)), was answered 200 with the warning "unknown field \"spec.shine\"", and the answer does not show it; unknown-field: a server whose release does not know the field did not store it; impact under rule-3`; res.Findings[0].Message != want {
		t.Errorf("message:\n%s\nwant:\n%s", res.Findings[0].Message, want)
	}
	_, ledger := s.judge()
	c := copyOf(t, ledger, "treated-1")
	if got := field(c, ".spec.shine.level"); got != term.NotAccepted || c.State != term.NotAccepted {
		t.Errorf("%s, copy %s; want not-accepted", got, c.State)
	}
	if got := field(c, ".spec.colour"); got != term.Kept {
		t.Errorf("colour: %s, want kept", got)
	}
}

// What the answer showed otherwise was not accepted either.
func TestAcceptedOtherwise(t *testing.T) {
	s := mixed(t)
	created := s.create("bystander-1", `{"colour": "red", "size": "1"}`)
	for i := range s.h.Operations {
		x := &s.h.Operations[i].Exchange
		x.Answer = s.bend(x.Answer, ".spec.colour", "blue")
	}
	s.finds(`nothing-lost violation rule-2 not-accepted unattributed bystander-1 .spec.colour in step 3 (upgrading 1/2)`)
	_, ledger := s.judge()
	c := copyOf(t, ledger, "bystander-1")
	if got := stateSeen(t, c, created, "a", ".spec.colour"); got != term.NotAccepted || field(c, ".spec.colour") != term.NotAccepted {
		t.Errorf("the row %s, the end %s; want not-accepted", got, field(c, ".spec.colour"))
	}
}

// An answer that showed a value which no GET then shows acknowledged it in
// vain: the server never stored it.
func TestAnswerThatWasNotStored(t *testing.T) {
	s := mixed(t)
	created := s.create("bystander-1", `{"colour": "red", "size": "1"}`)
	for _, replica := range []string{"a", "b"} {
		x := s.recorded(created, history.Look, replica)
		x.Answer = s.bend(x.Answer, ".spec.colour", nil)
	}
	s.finds(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 3 (upgrading 1/2)`)
}
