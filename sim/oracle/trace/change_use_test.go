package trace_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// A copy that a call sends a value of the change to uses the change from then on,
// whatever it was made as; one that is merely touched is judged as before.
func TestChangeSentToABystander(t *testing.T) {
	play := func(change oracletest.Option) *oracletest.Run {
		run := oracletest.NewAddedField(t, nil, oracletest.Behaviour{})
		run.Create("control-1", oracletest.NarrowSpec)
		run.Patch("control-1", oracletest.Set(".spec.colour", "Blue"))
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Create("bystander-1", oracletest.NarrowSpec, oracletest.Via("b"))
		run.Patch("bystander-1", change) // step 6
		return run
	}
	run := play(oracletest.Set(".spec.breadth", 9))
	if c := oracletest.Check(t, run.ExpectFindings(), term.CheckRule2); c.Judged == 0 {
		t.Error("what it was before is judged")
	}

	run = play(oracletest.Set(".spec.colour", "Blue"))
	run.Behave(term.New, oracletest.Behaviour{Compute: func(o oracletest.Object) { oracletest.With(".status.extent", 27)(t, o) }})
	run.Patch("bystander-1", oracletest.Set(".spec.colour", "Green")) // step 7
	run.ExpectFindings(
		`rule-2 violation rule-2 changed unattributed bystander-1 .status.extent in step 7 (upgrading 1/2)`,
		`rule-2 violation rule-2 varies unattributed bystander-1 .status.extent in step 7 (upgrading 1/2)`)
}

// What a server without the change makes of it is an impact, on a bystander as on
// a treated copy; what a client's types have no place for, it did not send.
func TestChangeSentToABystanderThroughOld(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	run.Patch("bystander-1", oracletest.Via("b"), oracletest.Set(".spec.shine.level", 3))
	run.ExpectFindings(`nothing-lost impact rule-3 dropped unknown-field bystander-1 .spec.shine in step 4 (upgrading 1/2)`)

	fail := oracletest.Refused(500, "field not declared")
	run = oracletest.NewMixed(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	run.Probe(run.Patch("bystander-1", oracletest.Via("b"), oracletest.Set(".spec.shine.level", 3), fail), "b", 500)
	run.ExpectFindings(`rule-3 impact rule-3 refused unattributed bystander-1 .spec.shine in step 4 (upgrading 1/2)`)

	for _, change := range []oracletest.Option{oracletest.Set(".spec.colour", "blue"), oracletest.Set(".spec.shine.level", nil)} {
		run = oracletest.NewMixed(t)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Put("bystander-1", oracletest.Via("b"), change, oracletest.By(term.OldTyped), fail)
		run.ExpectFindings(`answers violation rule-1 failed unattributed bystander-1  in step 4 (upgrading 1/2)`)
	}
}

// After a rollback, too: who was sent the change is impacted by it, and who was
// not is served as before.
func TestRollbackOfABystanderWithTheChange(t *testing.T) {
	play := func(change oracletest.Option) *oracletest.Run {
		run := oracletest.NewRun(t, term.Upgrade, term.Rollback)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Observe()
		run.Stage("new", term.New, term.New)
		run.Patch("bystander-1", change) // step 5
		run.Stage("rolling-back 1/2", term.Old, term.New)
		run.Observe()
		run.Stage("rolled-back", term.Old, term.Old)
		run.Change("bystander-1", ".metadata.annotations.made", "up")
		run.Observe() // step 9
		return run
	}
	play(oracletest.Set(".spec.shine.level", 3)).ExpectFindings()
	play(oracletest.Set(".spec.colour", "blue")).ExpectFindings(`rule-6 violation rule-6 changed unattributed bystander-1 .metadata.annotations.made in step 9 (rolled-back)`)
}
