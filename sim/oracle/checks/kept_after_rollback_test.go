package checks_test

import (
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// keptAfterRollback has a copy whose new release fills in a colour as it reads, from before
// the upgrade to after the rollback.
func keptAfterRollback(t *testing.T, during func(run *oracletest.Run)) *oracletest.Run {
	run := oracletest.NewRun(t)
	run.Behave(term.New, oracletest.Behaviour{Default: func(o oracletest.Object) {
		if !oracletest.Has(t, o, ".spec.colour") {
			oracletest.With(".spec.colour", "red")(t, o)
		}
	}})
	run.Create("bystander-1", `{"size": "1"}`, oracletest.Via("b"))
	run.Stage("upgrading 1/2", term.New, term.Old)
	run.Observe()
	during(run)
	run.Stage("new", term.New, term.New)
	run.Observe()
	run.Stage("rolling-back 1/2", term.Old, term.New)
	run.Stage("rolled-back", term.Old, term.Old)
	run.Observe()
	return run
}

// A default that appears when the new release reads is stored by any write through it,
// and stays. Written through the old one it goes; and what a client sent is its own.
func TestSticks(t *testing.T) {
	const tail = "stays after the rollback"
	for name, c := range map[string]struct {
		during func(run *oracletest.Run)
		sticks bool
	}{
		"written through the new release": {func(run *oracletest.Run) { run.Patch("bystander-1", oracletest.Via("a")) }, true},
		"written through the old release": {func(run *oracletest.Run) { run.Patch("bystander-1", oracletest.Via("b")) }, false},
		"not written":                     {func(*oracletest.Run) {}, false},
		"sent by a client": {func(run *oracletest.Run) {
			run.Patch("bystander-1", oracletest.Set(".spec.colour", "red"), oracletest.Via("a"))
		}, false},
		"named by a client": {func(run *oracletest.Run) {
			run.Patch("bystander-1", oracletest.Set(".spec.colour", nil), oracletest.Via("a"))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			found := 0
			res, _ := keptAfterRollback(t, c.during).Judge()
			for _, f := range res.Findings {
				if strings.Contains(f.Message, tail) {
					found++
					if f.Check != term.CheckRule2 || f.Outcome != term.Changed || f.Cause != term.Defaulted || f.Via != term.Old || f.Stage != "rolled-back" || f.Path != ".spec.colour" {
						t.Errorf("%+v", f)
					}
				}
			}
			if (found == 1) != c.sticks {
				t.Errorf("told %d times", found)
			}
		})
	}
}
