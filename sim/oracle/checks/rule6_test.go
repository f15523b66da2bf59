package checks_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/checks"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
)

// What a server does of itself while the new release serves everywhere is held
// against what was served before the upgrade, or after the copy's last write.
func TestRule6FromBeforeTheUpgrade(t *testing.T) {
	journey := func(t *testing.T, name string, atNew func(*oracletest.Run)) *oracletest.Run {
		run := oracletest.NewRun(t)
		run.Create("control-1", oracletest.PlainSpec)
		run.Observe()
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Observe()
		run.Stage("new", term.New, term.New)
		atNew(run)
		run.Observe()
		run.Stage("rolling-back 1/2", term.Old, term.New)
		run.Observe()
		run.Stage("rolled-back", term.Old, term.Old)
		run.Observe()
		return run
	}
	for _, name := range []string{"control-1", "bystander-1"} {
		journey(t, name, func(*oracletest.Run) {}).ExpectFindings()
		run := journey(t, name, func(run *oracletest.Run) { run.Change(name, ".spec.grain", "fine") })
		run.ExpectFindings(`rule-6 violation rule-6 changed defaulted ` + name + ` .spec.grain in step 12 (rolled-back)`)
		run = journey(t, name, func(run *oracletest.Run) {
			run.Change(name, ".spec.grain", "fine")
			run.Patch(name) // it is served so after the last write, too
		})
		run.ExpectFindings()
		run = journey(t, name, func(run *oracletest.Run) {
			run.Patch(name)
			run.Change(name, ".spec.grain", "fine")
		})
		run.ExpectFindings(`rule-6 violation rule-6 changed defaulted ` + name + ` .spec.grain in step 13 (rolled-back)`)
	}
}

// With one server for each release a rollback begins when the old release's joins.
func TestRollbacksOfASurge(t *testing.T) {
	stage := func(roles ...term.Role) (s plan.Stage) {
		for _, r := range roles {
			s.Replicas = append(s.Replicas, plan.ReplicaStage{Role: r})
		}
		return s
	}
	for _, stages := range [][]plan.Stage{
		{stage(term.Old), stage(term.Old, term.New), stage(term.New), stage(term.Old, term.New), stage(term.Old), stage(term.Old, term.New), stage(term.New)},
		{stage(term.Old, term.Old), stage(term.New, term.Old), stage(term.New, term.New), stage(term.Old, term.New), stage(term.Old, term.Old), stage(term.New, term.Old), stage(term.New, term.New)},
	} {
		assert.Equal(t, [][3]int{{1, 3, 4}}, checks.Rollbacks(plan.Plan{Stages: stages}))
	}
}

// A LIST among operations may show what one of a higher number wrote: the
// revision shows.
func TestRule6BesideAWrite(t *testing.T) {
	begin := func(t *testing.T, own bool) *oracletest.Run {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Observe()
		run.Stage("rolled-back", term.Old, term.Old)
		if own {
			run.Change("bystander-1", ".spec.notes.by", "a server")
		}
		n := run.List("a")
		run.Patch("bystander-1", oracletest.Set(".spec.args", []any{"x"}))
		if !own {
			l := run.Listing(n, "a") // it overlapped
			l.Items[0].Revision = run.Revisions["bystander-1"]
			l.Items[0].Answer = run.Blob(run.Served("bystander-1", term.Old))
		}
		run.Observe()
		return run
	}
	begin(t, false).ExpectFindings()
	begin(t, true).ExpectFindings(`rule-6 violation rule-6 changed unattributed bystander-1 .spec.notes.by in step 6 (rolled-back)`)
}

func TestRule6(t *testing.T) {
	if c := oracletest.Check(t, oracletest.NewRoundTrip(t, "bystander-1", func(*oracletest.Run) {}).ExpectFindings(), term.CheckRule6); c.Judged != 2 || c.Verdict != term.Pass {
		t.Errorf("the control: %+v", c)
	}

	run := oracletest.NewRoundTrip(t, "bystander-1", func(run *oracletest.Run) { run.Change("bystander-1", ".spec.notes.by", "another") })
	oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`rule-6 violation rule-6 changed unattributed bystander-1 .spec.notes.by in step 9 (rolled-back)`),
		`Widget bystander-1: v1.0.0 served .spec.notes.by = "a server" in step 3 (old), before the rollback; a (v1.0.0) serves "another" in step 9 (rolled-back), and no operation wrote it, but for a write that no step asked for (the servers' own); violation under rule-6`)

	run = oracletest.NewRoundTrip(t, "control-1", func(run *oracletest.Run) { run.Change("control-1", ".spec.notes", nil) })
	run.ExpectFindings(`rule-6 violation rule-6 lost unattributed control-1 .spec.notes.by in step 9 (rolled-back)`)

	run = oracletest.NewRoundTrip(t, "bystander-1", func(run *oracletest.Run) { run.Change("bystander-1", ".spec.args", []any{"x"}) })
	run.ExpectFindings(`rule-6 violation rule-6 changed unattributed bystander-1 .spec.args[0] in step 9 (rolled-back)`)
}

// What a client sent is nothing-lost's, what an operation wrote is meant, what
// uses the change is impacted, and a lagging cache shows what was.
func TestRule6Mutants(t *testing.T) {
	run := oracletest.NewRoundTrip(t, "bystander-1", func(run *oracletest.Run) { run.Change("bystander-1", ".spec.size", "2") })
	run.ExpectFindings(`nothing-lost violation rule-6 changed unattributed bystander-1 .spec.size in step 0 ()`)

	run = oracletest.NewRoundTrip(t, "bystander-1", func(run *oracletest.Run) {
		run.Patch("bystander-1", oracletest.Set(".spec.notes.by", "a client"), oracletest.Set(".spec.args", []any{"x"}))
	})
	run.ExpectFindings()

	run = oracletest.NewRoundTrip(t, "treated-1", func(run *oracletest.Run) { run.Change("treated-1", ".spec.notes.by", "another") })
	oracletest.ExpectNotApplicable(t, run.ExpectFindings(), term.CheckRule6)

	run = oracletest.NewRoundTrip(t, "bystander-1", func(*oracletest.Run) {})
	run.Patch("bystander-1", oracletest.Set(".spec.notes.by", "a client"))
	run.ExpectFindings()

	run = oracletest.NewRoundTrip(t, "bystander-1", func(*oracletest.Run) {})
	l := run.Listing(9, "b")
	l.Items[0].Answer = run.Edited(l.Items[0].Answer, ".spec.notes.by", "before")
	l.Items[0].Revision--
	run.ExpectFindings()
}

// What was made after the rollback had begun is not judged by rule-6.
func TestRule6OfWhatWasThereBefore(t *testing.T) {
	for _, before := range []bool{true, false} {
		run := oracletest.NewMixed(t)
		run.Stage("new", term.New, term.New)
		if before {
			run.Create("bystander-1", oracletest.PlainSpec)
		}
		run.Stage("rolling-back 1/2", term.Old, term.New)
		run.Stage("rolled-back", term.Old, term.Old)
		if before {
			run.Observe()
			oracletest.Check(t, run.Result(), term.CheckRule6)
		} else {
			run.Create("bystander-1", oracletest.PlainSpec)
			oracletest.ExpectNotApplicable(t, run.Result(), term.CheckRule6)
		}
	}
}

// A write that was refused does not explain another value; one that succeeded does.
func TestRule6BesideARefusedWrite(t *testing.T) {
	for _, written := range []bool{true, false} {
		run := oracletest.NewRoundTrip(t, "bystander-1", func(run *oracletest.Run) {
			run.Change("bystander-1", ".spec.notes.by", "another")
			run.Patch("bystander-1", map[bool]oracletest.Option{true: func(*oracletest.Call) {}, false: oracletest.Refused(422, "no")}[written], oracletest.Respond(oracletest.Code(map[bool]int{true: 200, false: 422}[written])))
		})
		if written {
			run.ExpectFindings()
		} else {
			run.ExpectFindings(`rule-6 violation rule-6 changed unattributed bystander-1 .spec.notes.by in step 10 (rolled-back)`)
		}
	}
}
