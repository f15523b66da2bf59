package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/result"
)

// defect is a run with a defect that one check alone finds, or, where wrong is false,
// its near miss: all the same, with nothing wrong.
type defect struct {
	play func(t *testing.T, wrong bool) *oracletest.Run
	want string // the finding
}

// refusedOr refuses the call of a defect.
func refusedOr(wrong bool, code int) oracletest.Option {
	if !wrong {
		return func(*oracletest.Call) {}
	}
	return oracletest.Refused(code, "no")
}

// touchedAfter is a run in which an old client touches a new copy as it did before.
func touchedAfter(name, spec string) func(t *testing.T, wrong bool) *oracletest.Run {
	return func(t *testing.T, wrong bool) *oracletest.Run {
		run := oracletest.NewControlled(t)
		run.Create(name, spec)
		run.Patch(name, oracletest.By(term.OldTyped), refusedOr(wrong, 422))
		return run
	}
}

func lostValue(t *testing.T, wrong bool) *oracletest.Run {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Patch("treated-1", oracletest.Via(map[bool]string{true: "b", false: "a"}[wrong]))
	return run
}

func unreadable(t *testing.T, wrong bool) *oracletest.Run {
	run := oracletest.NewMixed(t)
	step := run.Create("bystander-1", oracletest.PlainSpec)
	if wrong {
		oracletest.Fail(run.Exchange(step, history.Look, "b"), 500, "unable to decode")
	}
	return run
}

func frozen(t *testing.T, wrong bool) *oracletest.Run {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	run.Stage("new", term.New, term.New)
	step := run.DryRuns("bystander-1")
	if wrong {
		oracletest.Fail(&run.DryRun(step, "bystander-1", "b", term.LabelAttempt).Exchange, 422, "no")
	}
	return run
}

func resurrectedValue(t *testing.T, wrong bool) *oracletest.Run {
	run := oracletest.NewRolledBack(t, "untouched-1")
	run.Observe()
	if !wrong {
		run.Schemas[term.Old] = run.Schemas[term.New]
		for i := range run.History.Listings {
			for j := range run.History.Listings[i].Items {
				run.History.Listings[i].Items[j].Answer = run.Blob(run.Served("untouched-1", term.New))
			}
		}
	}
	run.Reupgrade()
	return run
}

func anotherDefault(t *testing.T, wrong bool) *oracletest.Run {
	run := oracletest.NewControlled(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	step := run.Patch("bystander-1", oracletest.By(term.OldTyped))
	if wrong {
		x := run.Exchange(step, history.Act, "a")
		x.Answer = run.Edited(x.Answer, ".spec.notes.by", "a default")
	}
	return run
}

// harmfulField sends the change to the old release, which fails; or refuses it, which
// is no harm.
func harmfulField(t *testing.T, wrong bool) *oracletest.Run {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Put("treated-1", oracletest.ReadVia("a"), oracletest.Via("b"), oracletest.Refused(map[bool]int{true: 500, false: 422}[wrong], "no"))
	return run
}

func convertedAway(t *testing.T, wrong bool) *oracletest.Run {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", oracletest.PlainSpec, oracletest.Via("b"))
	step := run.Patch("bystander-1")
	run.PlannedStep(step).APIVersion = "example.dev/v1beta1"
	if wrong {
		for _, replica := range []string{"a", "b"} {
			look := run.Exchange(step, history.Look, replica)
			look.Answer = run.Edited(look.Answer, ".spec.size", nil)
		}
	}
	return run
}

func changedByRollback(t *testing.T, wrong bool) *oracletest.Run {
	return oracletest.NewRoundTrip(t, "bystander-1", func(run *oracletest.Run) {
		if wrong {
			run.Change("bystander-1", ".spec.notes.by", "another")
		}
	})
}

func refusedManifest(t *testing.T, wrong bool) *oracletest.Run {
	run := oracletest.NewManifests(t)
	run.Stage("new", term.New, term.New)
	run.Install(term.New, history.Installed{Code: 200, Stored: []string{"v1"}})
	run.Stage("rolled-back", term.Old, term.Old)
	run.Install(term.Old, history.Installed{Code: map[bool]int{true: 422, false: 200}[wrong], Stored: []string{"v1"}, Versions: []string{"v1"}})
	run.Create("bystander-1", oracletest.TwoPartsSpec)
	return run
}

func unlikeEmulated(t *testing.T, wrong bool) *oracletest.Run {
	run := oracletest.NewSideBySide(t).Emulate("1.0")
	if !wrong {
		run.Schemas[term.Old] = run.Schemas[term.New]
	}
	run.Create("untouched-1", oracletest.ShineSpec, oracletest.Via("a"))
	return run
}

func wrongAnswer(t *testing.T, wrong bool) *oracletest.Run {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	run.Patch("bystander-1", refusedOr(wrong, 422))
	return run
}

// defects has one of each check.
func defects() map[term.CheckName]defect {
	return map[term.CheckName]defect{
		term.CheckNothingLost:       {lostValue, "nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)"},
		term.CheckEverythingDecodes: {unreadable, "everything-decodes violation storage undecodable unattributed bystander-1  in step 3 (upgrading 1/2)"},
		term.CheckStaysWritable:     {frozen, "stays-writable violation stays-writable frozen unattributed bystander-1  in step 5 (new)"},
		term.CheckResurrection:      {resurrectedValue, "resurrection impact resurrection resurrected unattributed untouched-1 .spec.shine in step 9 (re-upgrading 1/2)"},
		term.CheckRule1:             {touchedAfter("bystander-1", oracletest.PlainSpec), "rule-1 violation rule-1 refused unattributed bystander-1  in step 7 (upgrading 1/2)"},
		term.CheckRule2:             {anotherDefault, "rule-2 violation rule-2 changed defaulted bystander-1 .spec.notes.by in step 7 (upgrading 1/2)"},
		term.CheckRule3:             {harmfulField, "rule-3 violation rule-3 failed unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)"},
		term.CheckRule4:             {convertedAway, "rule-4 violation rule-4 lost converted bystander-1 .spec.size in step 4 (upgrading 1/2)"},
		term.CheckRule5:             {touchedAfter("treated-1", oracletest.ShineSpec), "rule-5 violation rule-5 refused unattributed treated-1  in step 7 (upgrading 1/2)"},
		term.CheckRule6:             {changedByRollback, "rule-6 violation rule-6 changed unattributed bystander-1 .spec.notes.by in step 9 (rolled-back)"},
		term.CheckInstalls:          {refusedManifest, "installs violation installs refused unattributed   in step 3 (rolled-back)"},
		term.CheckAnswers:           {wrongAnswer, "answers violation rule-1 refused unattributed bystander-1  in step 4 (upgrading 1/2)"},
		term.CheckEmulates:          {unlikeEmulated, "emulates impact emulation varies unattributed untouched-1 .spec.shine.level in step 3 (upgrading 1/2)"},
	}
}

// briefsOf are the findings of a check, one line each.
func briefsOf(res result.Result, of term.CheckName) (all []string) {
	for _, f := range res.Findings {
		if f.Check == of {
			all = append(all, oracletest.Brief(f))
		}
	}
	return all
}

// Each check finds a defect that no other check finds: with the check's body removed, the
// finding is gone and none comes in its place. The near miss has no finding of the check.
func TestEachCheckAlone(t *testing.T) {
	for _, word := range term.Checks().Words() {
		t.Run(word, func(t *testing.T) {
			name := term.CheckName(word)
			d, known := defects()[name]
			require.True(t, known, "no defect is written for the check")
			run := d.play(t, true)
			res := run.Result()
			assert.Equal(t, []string{d.want}, briefsOf(res, name))
			assert.Equal(t, term.Fail, oracletest.Check(t, res, name).Verdict)

			blind := oracle.Without(name, run.History, run.Schemas)
			assert.Empty(t, briefsOf(blind, name))
			assert.Len(t, blind.Findings, len(res.Findings)-1, "another check finds it too")
			assert.NotEqual(t, term.Fail, oracletest.Check(t, blind, name).Verdict)

			assert.Empty(t, briefsOf(d.play(t, false).Result(), name), "the near miss")
		})
	}
}
