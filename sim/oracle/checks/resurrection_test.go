package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

func TestResurrection(t *testing.T) {
	run := oracletest.NewRolledBack(t, "untouched-1")
	hidden := run.Observe()
	run.Reupgrade()
	res := run.ExpectFindings(`resurrection impact resurrection resurrected unattributed untouched-1 .spec.shine in step 9 (re-upgrading 1/2)`)
	f := res.Findings[0]
	want := `Widget untouched-1: .spec.shine = {"level":3}, acknowledged in step 3 (v2.0.0), hidden from every replica at rolled-back, is served again in step 9 (re-upgrading 1/2) by a (v2.0.0), although nothing wrote it: after the rollback it seemed to be gone; impact under resurrection`
	if f.Message != want || f.Replica != "a" || f.Via != term.New || f.Release != oracletest.NewVersion {
		t.Errorf("finding: %+v\nwant message: %s", f, want)
	}
	_, ledger := run.Judge()
	c := oracletest.Ledger(t, ledger, "untouched-1")
	if got := oracletest.OutcomeSeen(t, c, 3, "a", ".spec.shine.level"); got != term.Kept {
		t.Errorf("at first: %s, want kept", got)
	}
	if got := oracletest.OutcomeSeen(t, c, hidden, "a", ".spec.shine.level"); got != term.Hidden {
		t.Errorf("rolled back: %s, want hidden", got)
	}
	if got := oracletest.OutcomeSeen(t, c, 9, "a", ".spec.shine.level"); got != term.Resurrected {
		t.Errorf("re-upgraded: %s, want resurrected", got)
	}
	if oracletest.LastOutcome(c, ".spec.shine.level") != term.Resurrected || oracletest.LastOutcome(c, ".spec.colour") != term.Kept || c.Outcome != term.Resurrected {
		t.Errorf("ends: %+v, copy %s", c.Fields, c.Outcome)
	}
}

// The near misses: each takes away one thing without which nothing was risen.
func TestNoResurrection(t *testing.T) {
	cases := map[string]func(t *testing.T) *oracletest.Run{
		"one replica showed it throughout": func(t *testing.T) *oracletest.Run {
			run := oracletest.NewMixed(t)
			run.Create("untouched-1", oracletest.ShineSpec)
			run.Observe()
			run.Stage("rolling-back 1/2", term.Old, term.New)
			run.Observe()
			run.Reupgrade()
			return run
		},
		"a replica did not answer while it was hidden": func(t *testing.T) *oracletest.Run {
			run := oracletest.NewRolledBack(t, "untouched-1")
			edge := run.Observe()
			l := run.Listing(edge, "b")
			l.Items = nil
			oracletest.Fail(&l.Exchange, 500, "busy")
			run.Reupgrade()
			return run
		},
		"the record lost a replica's answer while it was hidden": func(t *testing.T) *oracletest.Run {
			run := oracletest.NewRolledBack(t, "untouched-1")
			run.Listing(run.Observe(), "b").Items[0].Answer = "gone"
			run.Reupgrade()
			return run
		},
		"nothing looked while it was hidden": func(t *testing.T) *oracletest.Run {
			run := oracletest.NewRolledBack(t, "untouched-1")
			run.Reupgrade()
			return run
		},
		"it was lost, not hidden": func(t *testing.T) *oracletest.Run {
			run := oracletest.NewRolledBack(t, "untouched-1")
			run.Observe()
			run.Change("untouched-1", ".spec.shine", nil)
			run.Reupgrade()
			return run
		},
		"it came back as another value": func(t *testing.T) *oracletest.Run {
			run := oracletest.NewRolledBack(t, "untouched-1")
			run.Observe()
			run.Change("untouched-1", ".spec.shine", oracletest.Object{"level": 4})
			run.Reupgrade()
			return run
		},
		"the copy is not an untouched one": func(t *testing.T) *oracletest.Run {
			run := oracletest.NewRolledBack(t, "treated-1")
			run.Observe()
			run.Reupgrade()
			return run
		},
	}
	for name, reported := range cases {
		t.Run(name, func(t *testing.T) {
			res, _ := reported(t).Judge()
			for _, f := range res.Findings {
				if f.Check == term.CheckResurrection {
					t.Errorf("found: %s", f.Message)
				}
			}
		})
	}
}

// The check belongs to journeys that come back, and to histories that hold an
// untouched copy.
func TestResurrectionApplies(t *testing.T) {
	run := oracletest.NewMixed(t, term.Upgrade, term.Rollback)
	run.Create("untouched-1", `{"colour": "red"}`)
	res, _ := run.Judge()
	oracletest.ExpectNotApplicable(t, res, term.CheckResurrection)

	run = oracletest.NewMixed(t)
	run.Create("treated-1", `{"colour": "red"}`)
	res, _ = run.Judge()
	oracletest.ExpectNotApplicable(t, res, term.CheckResurrection)

	run = oracletest.NewMixed(t)
	run.Create("untouched-1", `{"colour": "red"}`, oracletest.Refused(422, "no"))
	res, _ = run.Judge()
	oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckResurrection), term.Unknown, "it saw nothing to judge")
}

// A value that comes back where the old release publishes it too is no impact.
func TestResurrectionOfWhatBothPublish(t *testing.T) {
	run := oracletest.NewMixed(t)
	created := run.Create("untouched-1", `{"colour": "red", "size": "1"}`)
	run.Stage("rolled-back", term.Old, term.Old)
	edge := run.Observe()
	for _, replica := range []string{"a", "b"} {
		item := &run.Listing(edge, replica).Items[0]
		item.Answer = run.Edited(item.Answer, ".spec.colour", nil)
	}
	run.Reupgrade()
	if created != 3 || run.Exchange(created, history.Act, "a").Code != 200 {
		t.Fatal("the story has changed")
	}
	run.ExpectFindings(
		`nothing-lost violation rule-2 hidden unattributed untouched-1 .spec.colour in step 5 (rolled-back)`,
		`resurrection violation resurrection resurrected unattributed untouched-1 .spec.colour in step 7 (re-upgrading 1/2)`)
}
