package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// Where nothing at all was acknowledged, that itself is reported.
func TestNothingAcknowledged(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", `{"shine": {"level": 3}}`, oracletest.Via("b"))
	run.Observe()
	run.ExpectFindings(`nothing-lost impact rule-3 dropped unknown-field treated-1 .spec.shine in step 3 (upgrading 1/2)`)
	_, ledger := run.Judge()
	if f := oracletest.Ledger(t, ledger, "treated-1").Fields; len(f) != 1 || f[0].Step != 0 || f[0].Outcome != term.Dropped {
		t.Errorf("fields: %+v", f)
	}
}

// A value that changes twice is reported twice.
func TestChangedTwice(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	for _, value := range []any{"blue", "green"} {
		run.Change("bystander-1", ".spec.colour", value)
		run.Observe()
	}
	one := `nothing-lost violation rule-6 changed unattributed bystander-1 .spec.colour in step 0 ()`
	run.ExpectFindings(one, one)
}

// A value that is lost, comes back and is lost again is reported twice.
func TestLostTwice(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red", "size": "1"}`)
	for _, value := range []any{nil, "red", nil} {
		run.Change("bystander-1", ".spec.colour", value)
		run.Observe()
	}
	one := `nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`
	run.ExpectFindings(one, one)
}

// An empty map is a place that servers may fill; it is lost when it is gone.
func TestEmptyContainer(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red", "notes": {}}`)
	run.Change("bystander-1", ".spec.notes", oracletest.Object{"k": "v"})
	run.Observe()
	run.ExpectFindings()
	run.Change("bystander-1", ".spec.notes", nil)
	run.Observe()
	run.ExpectFindings(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.notes in step 0 ()`)
}

// What was lost before an operation named it was lost all the same.
func TestLostBeforeItWasWithdrawn(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red", "size": "1"}`)
	run.Change("bystander-1", ".spec.colour", nil)
	run.Observe()
	run.Patch("bystander-1", oracletest.Set(".spec.colour", "blue"))
	run.ExpectFindings(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`)
}

// An object that is gone is everything-decodes' to report: nothing about its
// values is open.
func TestGoneLeavesNothingOpen(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Remove("bystander-1")
	run.Observe()
	res, _ := run.Judge()
	oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckNothingLost), term.Pass, "")
	oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckEverythingDecodes), term.Fail, "2 findings not expected, 0 expectations not met")
}

// What is known to be lost stays so, though nothing that knows it looks again.
func TestLostIsNotOpen(t *testing.T) {
	run := oracletest.NewMixed(t, term.Upgrade, term.Rollback)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Patch("treated-1", oracletest.Via("b"))
	run.Stage("rolled-back", term.Old, term.Old)
	run.Patch("treated-1", oracletest.Via("b"))
	res := run.ExpectFindings(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`)
	if got := oracletest.Check(t, res, term.CheckNothingLost).Indeterminate; got != 0 {
		t.Errorf("indeterminate %d, want 0", got)
	}
}

// Where each release shows another value, the newest says what it became.
func TestTwoOtherValues(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Change("bystander-1", ".spec.colour", "blue")
	item := &run.Listing(run.Observe(), "b").Items[0]
	item.Answer = run.Edited(item.Answer, ".spec.colour", "green")
	res := run.ExpectFindings(`nothing-lost violation rule-6 changed unattributed bystander-1 .spec.colour in step 0 ()`)
	if res.Findings[0].After != "blue" {
		t.Errorf("after: %v, want blue", res.Findings[0].After)
	}
}
