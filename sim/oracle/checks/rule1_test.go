package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// rule-1: the same call on the same kind of object, before and after.
func TestRule1(t *testing.T) {
	run := oracletest.NewControlled(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	run.Patch("bystander-1", oracletest.By(term.OldTyped))
	if c := oracletest.Check(t, run.ExpectFindings(), term.CheckRule1); c.Judged != 1 || c.Verdict != term.Pass {
		t.Errorf("the control: %+v", c)
	}

	run = oracletest.NewControlled(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	run.Patch("bystander-1", oracletest.By(term.OldTyped), oracletest.Via("b"), oracletest.Refused(422, "spec: immutable"))
	res := run.ExpectFindings(`rule-1 violation rule-1 refused unattributed bystander-1  in step 7 (upgrading 1/2)`)
	oracletest.ExpectOnlyMessage(t, res, `Widget bystander-1: step 7 (upgrading 1/2: merge-patch by old-typed, via b (v1.0.0)) was answered 422: spec: immutable; the same call succeeded in step 4 (old: merge-patch by old-typed, via a (v1.0.0), on control-1); violation under rule-1`)
	if c := oracletest.Check(t, res, term.CheckRule1); c.Judged != 1 || oracletest.Check(t, res, term.CheckAnswers).Judged != 1 {
		t.Errorf("judged: %+v", res.Checks)
	}
}

// Any difference in the call makes it another one, which answers reports.
func TestRule1ComparesTheSameCall(t *testing.T) {
	no := oracletest.Refused(422, "no")
	cases := map[string]func(run *oracletest.Run){
		"another client": func(run *oracletest.Run) { run.Patch("bystander-1", oracletest.By(term.NewTyped), no) },
		"another verb":   func(run *oracletest.Run) { run.Put("bystander-1", oracletest.By(term.OldTyped), no) },
		"another value": func(run *oracletest.Run) {
			run.Patch("bystander-1", oracletest.By(term.OldTyped), oracletest.Set(".spec.colour", "blue"), no)
		},
		"another manner": func(run *oracletest.Run) {
			step := run.Patch("bystander-1", oracletest.By(term.OldTyped), no)
			run.PlannedStep(step).FieldValidation = term.Strict
		},
	}
	for name, reported := range cases {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewControlled(t)
			run.Create("bystander-1", oracletest.PlainSpec)
			reported(run)
			run.ExpectFindings(`answers violation rule-1 refused unattributed bystander-1  in step 7 (upgrading 1/2)`)
		})
	}
}

// What failed before may fail, what respond declares is answers' matter, and
// what is not there cannot be called.
func TestRule1Mutants(t *testing.T) {
	run := oracletest.NewRun(t)
	run.Create("control-1", oracletest.PlainSpec)
	run.Patch("control-1", oracletest.Refused(422, "never"))
	run.Stage("upgrading 1/2", term.New, term.Old)
	run.Create("control-2", oracletest.PlainSpec)
	run.Patch("control-2", oracletest.Refused(422, "never"))
	run.ExpectFindings()

	run = oracletest.NewControlled(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	run.Patch("bystander-1", oracletest.By(term.OldTyped), oracletest.Refused(422, "no"), oracletest.Respond(oracletest.Code(422)))
	run.ExpectFindings()

	run = oracletest.NewControlled(t)
	run.Create("control-3", oracletest.PlainSpec, oracletest.By(term.OldTyped), oracletest.Refused(422, "no"))
	run.Get("control-3", oracletest.By(term.OldTyped), oracletest.Refused(404, "not found"))
	run.ExpectFindings(`rule-1 violation rule-1 refused unattributed control-3  in step 6 (upgrading 1/2)`)

	run = oracletest.NewControlled(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	run.Patch("bystander-1", oracletest.By(term.OldTyped), oracletest.Refused(0, "context canceled"))
	run.History.End = nil
	if c := oracletest.Check(t, run.ExpectFindings(), term.CheckRule1); c.Indeterminate != 1 {
		t.Errorf("cut off: %+v", c)
	}
}

// A control copy is there for rule-1 alone: that its birth was refused from the
// first is nobody's finding.
func TestControlIsNoAnswer(t *testing.T) {
	run := oracletest.NewRun(t)
	run.Create("control-1", oracletest.PlainSpec, oracletest.Refused(422, "no"))
	run.Get("control-1", oracletest.Refused(404, "not found"))
	run.ExpectFindings()
}
