package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// An object that is being deleted is stored and served until it is gone: it is
// judged as any other.
func TestDeleteThatIsHeldUp(t *testing.T) {
	begin := func(t *testing.T) *oracletest.Run {
		run := oracletest.NewRun(t)
		run.Create("control-1", oracletest.PlainSpec)
		run.DryRuns("control-1")
		run.DeleteHeldUp("control-1")
		run.Stage("new", term.New, term.New)
		return run
	}
	begin(t).ExpectFindings()

	run := begin(t)
	run.Change("control-1", ".spec.size", "77")
	run.Observe()
	run.ExpectFindings(`nothing-lost violation rule-2 changed unattributed control-1 .spec.size in step 0 ()`)

	run = begin(t)
	run.Listing(run.Observe(), "a").Items = nil
	run.ExpectFindings(`everything-decodes violation storage lost unattributed control-1  in step 6 (new)`)

	run = begin(t)
	oracletest.Fail(run.Exchange(run.Patch("control-1"), history.Look, "b"), 500, "unable to decode")
	run.ExpectFindings(`everything-decodes violation storage undecodable unattributed control-1  in step 6 (new)`)

	run = begin(t)
	step := run.DryRuns("control-1")
	oracletest.Fail(&run.DryRun(step, "control-1", "a", term.LabelAttempt).Exchange, 422, "frozen")
	oracletest.Fail(&run.DryRun(step, "control-1", "a", term.FinalizerAttempt).Exchange, 422, "no new finalizers can be added if the object is being deleted")
	run.ExpectFindings(`stays-writable violation stays-writable frozen unattributed control-1  in step 6 (new)`)
}

// Once what held it up has gone, so is the object, and its values are withdrawn;
// the next of its name is another.
func TestDeleteThatWasHeldUp(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	run.DeleteHeldUp("bystander-1")
	last := run.Begin(term.MergePatch, "bystander-1", []oracletest.Option{oracletest.Set(".metadata.finalizers", nil)})
	run.Remove("bystander-1")
	run.Record(last, history.Act, "a", history.Exchange{Method: "PATCH", Code: 200})
	run.Look(last)
	run.Observe()
	run.ExpectFindings()
	_, ledger := run.Judge()
	if got := oracletest.LastOutcome(oracletest.Ledger(t, ledger, "bystander-1"), ".spec.colour"); got != term.Withdrawn {
		t.Errorf("after it is gone: %s, want withdrawn", got)
	}
	again := run.Begin(term.Create, "bystander-1", nil)
	sent := oracletest.Object{"apiVersion": "example.dev/v1", "kind": "Widget", "metadata": oracletest.Object{"name": "bystander-1"}, "spec": oracletest.Object{"size": "2"}}
	run.Write(again, sent, sent)
	run.Observe()
	run.ExpectFindings()
}
