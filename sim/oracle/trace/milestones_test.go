package trace_test

import (
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
)

// An apply that makes an object offers what it sends, as a create does; whether
// it made one, the plan or the server's answer says.
func TestBirthByOtherVerbs(t *testing.T) {
	lost := `nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`
	for _, c := range []struct {
		verb  term.Verb
		code  int
		birth bool
		want  []string
	}{
		{term.Apply, 201, true, []string{lost}},
		{term.Apply, 201, false, []string{lost}},
		{term.Apply, 200, true, []string{lost}},
		{term.ClientSideApply, 201, true, []string{lost}},
		{term.Apply, 200, false, nil}, // it was there before: nobody saw it come
	} {
		run := oracletest.NewMixed(t)
		created := run.Create("treated-1", oracletest.ShineSpec)
		run.Patch("treated-1", oracletest.Via("b"))
		run.CreateBy(created, c.verb, c.code, c.birth)
		run.ExpectFindings(c.want...)
	}
}

// Each apply sends everything again: that offers nothing anew, and a value that
// it brings back is there again.
func TestApplySendsEverythingAgain(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Patch("treated-1", oracletest.Via("b")) // step 4
	run.Do(term.Apply, "treated-1", oracletest.Parse(t, `{"spec": `+oracletest.ShineSpec+`}`), []oracletest.Edit{oracletest.With(".spec.shine", oracletest.Object{"level": int64(3)})}, oracletest.Via("a"))
	run.ExpectFindings(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`)
	_, ledger := run.Judge()
	if got := oracletest.LastOutcome(oracletest.Ledger(t, ledger, "treated-1"), ".spec.shine.level"); got != term.Kept {
		t.Errorf("it ends %s, want kept", got)
	}
	run.Patch("treated-1", oracletest.Via("b")) // step 6
	run.ExpectFindings(
		`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`,
		`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 6 (upgrading 1/2)`)
}

// What one life of a copy held, the next does not owe.
func TestDeletedAndMadeAnew(t *testing.T) {
	for _, verb := range []term.Verb{term.Delete, term.DeleteCollection} {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", `{"colour": "red", "size": "1"}`)
		deleted := run.Delete("bystander-1")
		run.PlannedStep(deleted).Verb = verb
		again(run, "bystander-1", `{"size": "2"}`)
		run.Patch("bystander-1", oracletest.Via("b"))
		res := run.ExpectFindings()
		oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckNothingLost), term.Pass, "")
		run.Change("bystander-1", ".spec.size", "3")
		run.Observe()
		run.ExpectFindings(`nothing-lost violation rule-6 changed unattributed bystander-1 .spec.size in step 0 ()`)
		_, ledger := run.Judge()
		c := oracletest.Ledger(t, ledger, "bystander-1")
		if c.Fields[0].Outcome != term.Withdrawn || c.Outcome != term.Changed {
			t.Errorf("%s: fields %+v, the copy %s", verb, c.Fields, c.Outcome)
		}
	}
}

// again makes a copy that was deleted.
func again(run *oracletest.Run, name, spec string) int {
	copies := run.History.Header.Plan.Copies
	number := run.Create(name, spec)
	run.History.Header.Plan.Copies = copies
	return number
}

// A delete of a collection answers with a list, whose revision is any object's.
func TestRevisionOfACollection(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Create("bystander-2", `{"colour": "red"}`)
	deleted := run.Delete("bystander-1")
	run.PlannedStep(deleted).Verb = term.DeleteCollection
	run.Exchange(deleted, history.Act, "a").Revision = 12 // that of bystander-2
	res := run.ExpectFindings()
	oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckNothingLost), term.Pass, "")
}

// The answer of /scale is no view of the object: its revision is the object's,
// and what the step names there it shows.
func TestScale(t *testing.T) {
	const size = ".spec.copies"
	play := func(edits ...oracletest.Edit) (*oracletest.Run, int) {
		run := oracletest.NewMixed(t)
		run.History.Header.Plan.Manifests["widget"] = plan.Manifest{APIVersion: "example.dev/v1", Kind: "Widget"}
		run.Create("bystander-1", `{"colour": "red"}`)
		number := run.Do(term.ScalePut, "bystander-1", oracletest.Spec(oracletest.Object{"size": "4"}), edits, oracletest.ReadVia("a"), oracletest.Set(".spec.size", "4"))
		for _, purpose := range []history.Purpose{history.Read, history.Act} {
			x := run.Exchange(number, purpose, "a")
			x.Answer = run.Blob(oracletest.Object{"kind": "Scale", "spec": oracletest.Object{"size": "4"}, "metadata": oracletest.Object{"resourceVersion": "12"}})
		}
		return run, number
	}
	run, _ := play()
	run.ExpectFindings()
	run.Change("bystander-1", ".spec.size", "5")
	run.Observe()
	run.ExpectFindings(`nothing-lost violation rule-6 changed unattributed bystander-1 .spec.size in step 0 ()`)

	run, _ = play(oracletest.With(".spec.colour", nil))
	run.ExpectFindings(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 4 (upgrading 1/2)`)

	run, number := play(oracletest.With(".spec.colour", nil)) // only the scale's answer shows whose write it was
	for _, replica := range []string{"a", "b"} {
		run.Exchange(number, history.Look, replica).Code = 503
	}
	run.Observe()
	res, _ := run.Judge()
	if f := res.Findings[len(res.Findings)-1]; f.Check == term.CheckNothingLost && f.Step != number {
		t.Errorf("%s", oracletest.Brief(f))
	}
	_ = size
}

// The outcome of a write that met conflicts is that of its last turn.
func TestTurns(t *testing.T) {
	for name, order := range map[string]bool{"in order": true, "the last turn first": false} {
		run := oracletest.NewMixed(t)
		run.Create("treated-1", oracletest.ShineSpec)
		put := run.Put("treated-1", oracletest.ReadVia("b"), oracletest.Via("a"))
		var first []history.Operation
		for i := range run.History.Operations {
			op := &run.History.Operations[i]
			if op.Step != put || op.Purpose == history.Look {
				continue
			}
			conflict := *op
			if op.Purpose == history.Act {
				conflict.Exchange = history.Exchange{Method: "PUT", Code: 409, Message: "conflict", Sent: op.Exchange.Sent}
			} else { // the first read was shown the value: the last one was not
				conflict.Exchange.Answer = run.Blob(run.History.Object(run.History.Changes[0].Value))
			}
			op.Turn = 1
			first = append(first, conflict)
		}
		if order {
			run.History.Operations = append(first, run.History.Operations...)
		} else {
			run.History.Operations = append(run.History.Operations, first...)
		}
		res, _ := run.Judge()
		if got := oracletest.Brief(res.Findings[0]); len(res.Findings) != 1 || got != `nothing-lost impact rule-6 lost read-hidden treated-1 .spec.shine in step 4 (upgrading 1/2)` {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// What a dry run answers is not what is stored.
func TestDryRunsShowNothing(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	tried := run.Step(plan.Step{Action: plan.Attempt})
	o := run.Served("bystander-1", term.New)
	oracletest.With(".spec.colour", nil)(t, o)
	for _, purpose := range []history.Purpose{history.Try, history.Probe} {
		run.History.Operations = append(run.History.Operations, history.Operation{
			Step: tried, Copy: "bystander-1", Purpose: purpose, Replica: "a", Role: term.New, Attempt: term.LabelAttempt,
			Exchange: history.Exchange{Method: "PATCH", Code: 200, Answer: run.Blob(o), Revision: 11},
		})
	}
	res, _ := run.Judge()
	for _, f := range res.Findings {
		if f.Check == term.CheckNothingLost {
			t.Error(oracletest.Brief(f))
		}
	}
	if res.Counts.Looks != 4 || res.Counts.Operations != 1 {
		t.Errorf("%+v", res.Counts)
	}
}

// A version that no step wrote is placed among those that had not seen it, and
// those that had.
func TestOwnWriteAmongSteps(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red", "size": "1"}`)
	run.Get("bystander-1") // step 4
	run.Change("bystander-1", ".spec.colour", nil)
	run.Get("bystander-1") // step 5
	run.Patch("bystander-1")
	run.ExpectMessage(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`,
		"was lost after step 4 (upgrading 1/2) and before step 5 (upgrading 1/2): a write that no step asked for (the servers' own)")

	run = oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red", "size": "1"}`)
	patched := run.Patch("bystander-1") // a server writes after it, before the looks
	run.Change("bystander-1", ".spec.colour", nil)
	for _, replica := range []string{"a", "b"} {
		x := run.Exchange(patched, history.Look, replica)
		x.Answer, x.Revision = run.Blob(run.Served("bystander-1", run.Serving[replica])), run.Revisions["bystander-1"]
	}
	run.ExpectMessage(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`, "was lost while step 4 (upgrading 1/2) was played")

	res, _ := run.Judge()
	if f := res.Findings[0]; f.Client != "" || f.Verb != "" || f.Via != "" || strings.Contains(f.Message, "dynamic") {
		t.Errorf("a client is named: %+v", f)
	}
}
