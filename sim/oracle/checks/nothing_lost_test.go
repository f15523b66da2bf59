package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// A write through the old release drops what it does not know; a read only
// does not show it.
func TestLostOrMerelyHidden(t *testing.T) {
	run := oracletest.NewMixed(t)
	created := run.Create("treated-1", oracletest.ShineSpec) // step 3
	run.Get("treated-1", oracletest.Via("b"))
	run.ExpectFindings()
	_, ledger := run.Judge()
	c := oracletest.Ledger(t, ledger, "treated-1")
	if got := oracletest.OutcomeSeen(t, c, created, "b", ".spec.shine.level"); got != term.Hidden {
		t.Errorf("through old: %s, want hidden", got)
	}
	if got := oracletest.OutcomeSeen(t, c, created, "a", ".spec.shine.level"); got != term.Kept {
		t.Errorf("through new: %s, want kept", got)
	}
	if got := oracletest.LastOutcome(c, ".spec.shine.level"); got != term.Kept || c.Outcome != term.Hidden {
		t.Errorf("ends %s, worst %s; want kept, hidden", got, c.Outcome)
	}

	touched := run.Patch("treated-1", oracletest.Via("b")) // step 5
	res := run.ExpectFindings(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 5 (upgrading 1/2)`)
	_, ledger = run.Judge()
	c = oracletest.Ledger(t, ledger, "treated-1")
	for _, replica := range []string{"a", "b"} {
		if got := oracletest.OutcomeSeen(t, c, touched, replica, ".spec.shine.level"); got != term.Lost {
			t.Errorf("through %s after the write: %s, want lost", replica, got)
		}
	}
	f := res.Findings[0]
	want := `Widget treated-1: .spec.shine = {"level":3}, acknowledged in step 3 (v2.0.0), was lost in step 5 (upgrading 1/2): merge-patch by dynamic, via b (v1.0.0); unknown-field: a server whose release does not know the field rewrote the object; impact under rule-6`
	if f.Message != want {
		t.Errorf("message:\n%s\nwant:\n%s", f.Message, want)
	}
	if f.Via != term.Old || f.Release != oracletest.OldVersion || f.Replica != "b" || f.Verb != term.MergePatch || f.Client != term.Dynamic || f.AcknowledgedStep != created {
		t.Errorf("finding: %+v", f)
	}
}

// The same value taken away by an operation that names it, above it, and by
// one that leaves it out.
func TestWithdrawnOrLeftOut(t *testing.T) {
	for _, named := range []string{".spec.shine.level", ".spec.shine", ".spec"} {
		run := oracletest.NewMixed(t)
		run.Create("treated-1", `{"shine": {"level": 3}}`)
		put := run.Put("treated-1", oracletest.Via("a"), oracletest.Set(named, nil))
		run.ExpectFindings()
		_, ledger := run.Judge()
		c := oracletest.Ledger(t, ledger, "treated-1")
		if got := oracletest.LastOutcome(c, ".spec.shine.level"); got != term.Withdrawn || c.Outcome != term.Hidden {
			t.Errorf("%s named: %s, the copy %s; want withdrawn, hidden (by old, before)", named, got, c.Outcome)
		}
		if got := oracletest.OutcomeSeen(t, c, put, "a", ".spec.shine.level"); got != term.Kept {
			t.Errorf("%s named: the row says %s; want kept: there is nothing to keep any more", named, got)
		}
	}
	run := oracletest.NewMixed(t)
	run.Create("treated-1", `{"colour": "red", "shine": {"level": 3}}`)
	run.Put("treated-1", oracletest.By(term.OldTyped), oracletest.Via("a"))
	run.ExpectFindings(`nothing-lost impact rule-6 lost client-omitted treated-1 .spec.shine in step 4 (upgrading 1/2)`)
}

// A neighbour's name withdraws nothing.
func TestNamingANeighbourWithdrawsNothing(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Patch("treated-1", oracletest.Via("b"), oracletest.Set(".spec.colour", "blue"))
	run.ExpectFindings(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`)
}

func TestReadHidden(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Put("treated-1", oracletest.ReadVia("b"), oracletest.Via("a"))
	run.ExpectFindings(`nothing-lost impact rule-6 lost read-hidden treated-1 .spec.shine in step 4 (upgrading 1/2)`)

	run = oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Put("treated-1", oracletest.ReadVia("a"), oracletest.Via("a"))
	run.ExpectFindings()
}

// Causes are given only where the evidence shows them.
func TestUnattributed(t *testing.T) {
	stories := map[string]func(*oracletest.Run){
		"a patch through the new release": func(run *oracletest.Run) {
			run.Change("treated-1", ".spec.shine", nil)
			run.Patch("treated-1", oracletest.Via("a"))
			run.History.Changes[1].Revision = 999 // elsewhere: what the patch met is no longer there
			run.History.Changes[1].Key = "/example/other"
		},
		"a dynamic client that sends what it read": func(run *oracletest.Run) {
			run.Put("treated-1", oracletest.Via("a"))
			run.History.Changes = run.History.Changes[:1]
			run.Change("treated-1", ".spec.shine", nil)
			run.History.Changes[1].Revision = 12
			for i := range run.History.Operations {
				if x := &run.History.Operations[i].Exchange; x.Revision == 12 {
					x.Answer = run.Blob(run.Served("treated-1", run.History.Operations[i].Role))
				}
			}
		},
	}
	for name, bad := range stories {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("treated-1", oracletest.ShineSpec)
			bad(run)
			run.ExpectFindings(`nothing-lost impact rule-6 lost unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`)
		})
	}
}

// A write by nobody loses as well as any.
func TestServersOwnWrite(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red", "size": "1"}`)
	run.Change("bystander-1", ".status", oracletest.Object{"conditions": []any{oracletest.Object{"type": "Fine", "status": "True"}}})
	run.Observe()
	run.ExpectFindings()

	run.Change("bystander-1", ".spec.colour", nil)
	run.Observe()
	res := run.ExpectFindings(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`)
	want := `Widget bystander-1: .spec.colour = "red", acknowledged in step 3 (v2.0.0), was lost after step 4 (upgrading 1/2) and before step 5 (upgrading 1/2): a write that no step asked for (the servers' own); unattributed: the evidence does not say why; violation under rule-6`
	if got := res.Findings[0].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
}

// While only the old release looks, nothing shows what it lost. The first
// write that cannot have kept the value is to blame, not the one after which
// it is seen to be gone.
func TestLossFoundLater(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Stage("rolled-back", term.Old, term.Old)
	first := run.Patch("treated-1", oracletest.Via("a")) // step 5
	run.Patch("treated-1", oracletest.Via("b"))
	run.Stage("re-upgrading 1/2", term.New, term.Old)
	run.Observe()
	run.Patch("treated-1", oracletest.Via("a"))
	run.ExpectFindings(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 5 (rolled-back)`)
	_, ledger := run.Judge()
	if got := oracletest.OutcomeSeen(t, oracletest.Ledger(t, ledger, "treated-1"), first, "a", ".spec.shine.level"); got != term.Lost {
		t.Errorf("right after: %s, want lost, as later evidence shows", got)
	}
}

// A journey that ends rolled back leaves it open whether a value is lost.
func TestEndsRolledBack(t *testing.T) {
	run := oracletest.NewMixed(t, term.Upgrade, term.Rollback)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Stage("rolled-back", term.Old, term.Old)
	run.Observe()
	res := run.ExpectFindings() // only hidden: nothing wrote it
	oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckNothingLost), term.Pass, "")

	touched := run.Patch("treated-1", oracletest.Via("a"))
	res = run.ExpectFindings()
	reason := "1 fact is indeterminate: no release that knows the field read the object after its last write; a journey that ends with an upgrade lets the new release read everything"
	oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckNothingLost), term.Unknown, reason)
	if res.Verdict != term.Unknown || res.Reason != "nothing-lost: "+reason {
		t.Errorf("%s: %s", res.Verdict, res.Reason)
	}
	_, ledger := run.Judge()
	c := oracletest.Ledger(t, ledger, "treated-1")
	if oracletest.LastOutcome(c, ".spec.shine.level") != term.Indeterminate || oracletest.LastOutcome(c, ".spec.colour") != term.Kept {
		t.Errorf("fields: %+v", c.Fields)
	}
	if got := oracletest.OutcomeSeen(t, c, touched, "a", ".spec.shine.level"); got != term.Indeterminate {
		t.Errorf("in the row: %s, want indeterminate", got)
	}
}

// What is gone together is reported once, at the topmost path that is gone, but
// not above what the old release knows as well.
func TestReportedOnceAtTheTop(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", `{"shine": {"level": 3, "hue": {"base": "warm"}}, "finish": {"gloss": 7}}`)
	run.Patch("treated-1", oracletest.Via("b"))
	res := run.ExpectFindings(
		`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.finish.gloss in step 4 (upgrading 1/2)`,
		`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`)
	if before := oracletest.JSON(t, res.Findings[1].Before); before != `{"hue":{"base":"warm"},"level":3}` {
		t.Errorf("before: %s", before)
	}
}

// The member that only new publishes was all that a struct held, and the
// struct goes with it: that is the change's impact still, for nothing else was lost.
func TestLossDoesNotClimbOutOfTheChange(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", `{"colour": "red", "finish": {"gloss": 7}}`)
	run.Change("treated-1", ".spec.finish", nil)
	run.Observe()
	run.ExpectFindings(`nothing-lost impact rule-6 lost unattributed treated-1 .spec.finish.gloss in step 0 ()`)

	run = oracletest.NewMixed(t)
	run.Create("treated-1", `{"colour": "red", "finish": {"gloss": 7, "tone": "dark"}}`)
	run.Change("treated-1", ".spec.finish", nil)
	run.Observe()
	run.ExpectFindings(
		`nothing-lost violation rule-2 lost unattributed treated-1 .spec.finish in step 0 ()`,
		`nothing-lost impact rule-6 lost unattributed treated-1 .spec.finish.gloss in step 0 ()`)
}

// Losses of objects that use the change are impacts; of others, violations.
func TestClasses(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", oracletest.ShineSpec)
	run.Patch("bystander-1", oracletest.Via("b"))
	run.ExpectFindings(`nothing-lost violation rule-6 lost unknown-field bystander-1 .spec.shine in step 4 (upgrading 1/2)`)

	run = oracletest.NewMixed(t)
	run.Create("treated-1", `{"colour": "red", "size": "1"}`)
	run.Change("treated-1", ".spec.colour", nil)
	run.Observe()
	run.ExpectFindings(`nothing-lost violation rule-2 lost unattributed treated-1 .spec.colour in step 0 ()`)
}

// What was never acknowledged cannot be lost: that it was dropped is reported.
func TestNotAccepted(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec, oracletest.Via("b"), oracletest.Warned(`unknown field "spec.shine"`))
	run.Observe()
	res := run.ExpectFindings(`nothing-lost impact rule-3 dropped unknown-field treated-1 .spec.shine in step 3 (upgrading 1/2)`)
	if want := `Widget treated-1: .spec.shine = {"level":3}, sent in step 3 (upgrading 1/2: create by dynamic, via b (v1.0.0)), was answered 200 with the warning "unknown field \"spec.shine\"", and the answer does not show it; unknown-field: a server whose release does not know the field did not store it; impact under rule-3`; res.Findings[0].Message != want {
		t.Errorf("message:\n%s\nwant:\n%s", res.Findings[0].Message, want)
	}
	_, ledger := run.Judge()
	c := oracletest.Ledger(t, ledger, "treated-1")
	if got := oracletest.LastOutcome(c, ".spec.shine.level"); got != term.Dropped || c.Outcome != term.Dropped {
		t.Errorf("%s, copy %s; want dropped", got, c.Outcome)
	}
	if got := oracletest.LastOutcome(c, ".spec.colour"); got != term.Kept {
		t.Errorf("colour: %s, want kept", got)
	}
}

// What the answer showed otherwise was not accepted either.
func TestAcceptedOtherwise(t *testing.T) {
	run := oracletest.NewMixed(t)
	created := run.Create("bystander-1", `{"colour": "red", "size": "1"}`)
	for i := range run.History.Operations {
		x := &run.History.Operations[i].Exchange
		x.Answer = run.Edited(x.Answer, ".spec.colour", "blue")
	}
	run.ExpectFindings(`nothing-lost violation rule-2 dropped unattributed bystander-1 .spec.colour in step 3 (upgrading 1/2)`)
	_, ledger := run.Judge()
	c := oracletest.Ledger(t, ledger, "bystander-1")
	if got := oracletest.OutcomeSeen(t, c, created, "a", ".spec.colour"); got != term.Dropped || oracletest.LastOutcome(c, ".spec.colour") != term.Dropped {
		t.Errorf("the row %s, the end %s; want dropped", got, oracletest.LastOutcome(c, ".spec.colour"))
	}
}

// An answer that showed a value which no GET then shows acknowledged it in
// vain: the server never stored it.
func TestAnswerThatWasNotStored(t *testing.T) {
	run := oracletest.NewMixed(t)
	created := run.Create("bystander-1", `{"colour": "red", "size": "1"}`)
	for _, replica := range []string{"a", "b"} {
		x := run.Exchange(created, history.Look, replica)
		x.Answer = run.Edited(x.Answer, ".spec.colour", nil)
	}
	run.ExpectFindings(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 3 (upgrading 1/2)`)
}
