package trace_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// unreadable makes the answer to a write protobuf that its client cannot decode.
func unreadable(run *oracletest.Run, step int) {
	for i := range run.History.Operations {
		if o := &run.History.Operations[i]; o.Step == step && o.Purpose == history.Act {
			o.Undecoded = "old-typed cannot decode the answer: unknown wire type"
			o.Exchange.Answer, o.Exchange.AnswerBytes, o.Exchange.Revision = run.Blob("cHJvdG9idWY="), "bytes", 0
		}
	}
}

// What an answer that nobody could read accepted, the GET after it shows; and
// that version is the write's own.
func TestAnswerThatCannotBeRead(t *testing.T) {
	run := oracletest.NewMixed(t)
	unreadable(run, run.Create("treated-1", oracletest.ShineSpec))
	run.Observe()
	run.ExpectLosses()
	_, ledger := run.Judge()
	if got := oracletest.LastOutcome(oracletest.Ledger(t, ledger, "treated-1"), ".spec.shine.level"); got != term.Kept {
		t.Errorf("the value is %s, want kept", got)
	}
	run.Patch("treated-1", oracletest.Via("b"))
	run.ExpectLosses(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 5 (upgrading 1/2)`)

	run = oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	unreadable(run, run.Patch("treated-1", oracletest.Via("b")))
	run.ExpectLosses(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`)
}

// Where nothing else shows a value, it is unknown whether it was accepted.
func TestAnswerThatCannotBeReadAndNoLook(t *testing.T) {
	run := oracletest.NewMixed(t)
	created := run.Create("treated-1", oracletest.ShineSpec, oracletest.Via("b")) // which drops it
	unreadable(run, created)
	run.Observe()
	run.ExpectLosses()
	res, ledger := run.Judge()
	oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckNothingLost), term.Unknown, "1 fact is indeterminate: the client could not read the answer to a write")
	c := oracletest.Ledger(t, ledger, "treated-1")
	if seen := oracletest.OutcomeSeen(t, c, created, "a", ".spec.shine.level"); seen != term.Indeterminate || oracletest.LastOutcome(c, ".spec.shine.level") != term.Indeterminate {
		t.Errorf("the row %s, the end %s; want indeterminate", seen, oracletest.LastOutcome(c, ".spec.shine.level"))
	}
}

// A write that failed and stored nothing withdraws nothing: what is lost later
// is lost. One that may have stored something does.
func TestUnclearWriteThatStoredNothing(t *testing.T) {
	busy, declared := oracletest.Refused(500, "oops"), oracletest.Respond(oracletest.Code(500))
	lost := `nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`
	for name, c := range map[string]struct {
		writes int
		seen   bool
		want   []string
	}{
		"seen as it was, later":          {1, true, []string{lost}},
		"not seen before it was gone":    {1, false, nil},
		"one of two, it is not told who": {2, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", `{"size": "1", "colour": "red"}`)
			for range c.writes {
				run.Patch("bystander-1", oracletest.Set(".spec.colour", nil), busy, declared)
			}
			if c.seen {
				run.Observe()
			}
			run.Change("bystander-1", ".spec.colour", nil)
			run.Observe()
			run.ExpectFindings(c.want...)
		})
	}

	run := oracletest.NewMixed(t) // nothing was ever stored again
	run.Create("bystander-1", `{"size": "1", "colour": "red"}`)
	run.Patch("bystander-1", oracletest.Set(".spec.colour", nil), busy, declared)
	run.Observe()
	_, ledger := run.Judge()
	if got := oracletest.LastOutcome(oracletest.Ledger(t, ledger, "bystander-1"), ".spec.colour"); got != term.Kept {
		t.Errorf("it is %s, want kept", got)
	}
}

// A LIST from a cache may be late: that it shows the version before clears nobody.
func TestLateListClearsNoWrite(t *testing.T) {
	for form, want := range map[term.ListForm][]string{
		term.CachedList:     nil,
		term.ConsistentList: {`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`},
	} {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", `{"size": "1", "colour": "red"}`)
		run.Patch("bystander-1", oracletest.Set(".spec.colour", nil), oracletest.Refused(504, "timeout"), oracletest.Respond(oracletest.Code(504)))
		at := run.Observe()
		for _, replica := range []string{"a", "b"} {
			run.Listing(at, replica).Form = form
		}
		run.Change("bystander-1", ".spec.colour", nil)
		run.Observe()
		run.ExpectLosses(want...)
	}
}

// A delete without a clear answer, after which the store records a deletion,
// was done: nothing need be shown after it. One that was not done took nothing.
func TestDeleteWithoutAnAnswer(t *testing.T) {
	for _, answer := range []int{0, 504} {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", `{"size": "1"}`)
		deleted := run.Delete("bystander-1", oracletest.Respond(oracletest.Code(504)))
		x := run.Exchange(deleted, history.Act, "a")
		x.Code, x.Message = answer, "timeout"
		if answer == 0 {
			x.Error = "EOF"
			run.PlannedStep(deleted).Respond = nil
		}
		run.Observe()
		res, _ := run.Judge()
		for _, f := range res.Findings {
			if f.Outcome == term.Lost {
				t.Errorf("%d: %s", answer, oracletest.Brief(f))
			}
		}
	}

	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"size": "1"}`)
	run.Delete("bystander-1", oracletest.Refused(504, "timeout"), oracletest.Respond(oracletest.Code(504)))
	run.Observe()
	run.Remove("bystander-1") // by nobody: it had been seen since
	run.Observe()
	res, _ := run.Judge()
	if c := oracletest.Check(t, res, term.CheckEverythingDecodes); c.Findings == 0 {
		t.Errorf("what vanished is not told of: %+v", res.Findings)
	}
}
