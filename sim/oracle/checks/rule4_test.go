package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// rule-4: the version that a write goes through is to carry everything.
func TestRule4(t *testing.T) {
	through := func(t *testing.T, loses any) *oracletest.Run {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", oracletest.PlainSpec, oracletest.Via("b"))
		step := run.Patch("bystander-1")
		run.PlannedStep(step).APIVersion = "example.dev/v1beta1"
		for _, replica := range []string{"a", "b"} {
			look := run.Exchange(step, history.Look, replica)
			if loses != "1" {
				look.Answer = run.Edited(look.Answer, ".spec.size", loses)
			}
		}
		return run
	}
	if c := oracletest.Check(t, through(t, "1").ExpectFindings(), term.CheckRule4); c.Judged == 0 || c.Verdict != term.Pass {
		t.Errorf("the control: %+v", c)
	}
	res, _ := through(t, nil).Judge()
	found := false
	for _, f := range res.Findings {
		if f.Check == term.CheckRule4 {
			found = true
			if got, want := oracletest.Brief(f), `rule-4 violation rule-4 lost converted bystander-1 .spec.size in step 4 (upgrading 1/2)`; got != want {
				t.Errorf("%s\nwant %s", got, want)
			}
		}
	}
	if !found {
		t.Errorf("findings: %+v", res.Findings)
	}
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	run.Patch("bystander-1")
	oracletest.ExpectNotApplicable(t, run.ExpectFindings(), term.CheckRule4)
}

// A version that has no place for a field loses it, and what is read afterwards
// is the default.
func TestVersionForgets(t *testing.T) {
	play := func(forgets ...oracletest.Edit) *oracletest.Run {
		run := oracletest.NewRun(t, term.Upgrade)
		for _, role := range []term.Role{term.Old, term.New} {
			run.Publish(role, oracletest.Object{"spec.properties.breadth": oracletest.Integer(1)})
			run.Behave(role, oracletest.Behaviour{Default: oracletest.Fill(t, "breadth", 1)})
		}
		const plain = `{"colour": "Red", "breadth": 5}`
		run.Create("bystander-1", plain)
		run.Create("bystander-2", plain)
		run.Create("bystander-3", `{"colour": "Red"}`)
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Observe()
		run.UseV1beta1(
			run.Do(term.MergePatch, "bystander-1", oracletest.Object{}, forgets, oracletest.Via("a")),
			run.Do(term.Put, "bystander-2", oracletest.Object{}, forgets, oracletest.ReadVia("a"), oracletest.Via("a")),
			run.Do(term.Put, "bystander-3", oracletest.Object{}, forgets, oracletest.ReadVia("a"), oracletest.Via("a")))
		run.Observe()
		return run
	}
	play().ExpectFindings()
	play(oracletest.With(".spec.breadth", nil)).ExpectFindings(
		`rule-4 violation rule-4 changed defaulted bystander-1 .spec.breadth in step 7 (upgrading 1/2)`,
		`rule-4 violation rule-4 lost converted bystander-1 .spec.breadth in step 7 (upgrading 1/2)`,
		`rule-4 violation rule-4 changed defaulted bystander-2 .spec.breadth in step 8 (upgrading 1/2)`,
		`rule-4 violation rule-4 lost converted bystander-2 .spec.breadth in step 8 (upgrading 1/2)`)
}

// A server that puts the default in a value's place does so whatever version a
// write goes through: each time it is one fact, and not rule-4's. Near misses
// are a version that alone does it, and one that makes another value of it.
func TestResetInEveryVersion(t *testing.T) {
	play := func(here, there oracletest.Edit) *oracletest.Run {
		run := oracletest.NewRun(t, term.Upgrade)
		for _, role := range []term.Role{term.Old, term.New} {
			run.Publish(role, oracletest.Object{"spec.properties.breadth": oracletest.Integer(1)})
			run.Behave(role, oracletest.Behaviour{Default: oracletest.Fill(t, "breadth", 1)})
		}
		const plain = `{"colour": "Red", "breadth": 5}`
		run.Create("bystander-1", plain)
		run.Create("bystander-2", plain)
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Do(term.MergePatch, "bystander-1", oracletest.Object{}, []oracletest.Edit{here}, oracletest.Via("a")) // step 5
		run.UseV1beta1(run.Do(term.MergePatch, "bystander-2", oracletest.Object{}, []oracletest.Edit{there}, oracletest.Via("a")))
		run.Observe()
		return run
	}
	reset, kept := oracletest.With(".spec.breadth", nil), oracletest.With(".spec.breadth", 5)
	const one = `nothing-lost violation rule-2 changed defaulted bystander-1 .spec.breadth in step 5 (upgrading 1/2)`
	play(kept, kept).ExpectFindings()
	play(reset, reset).ExpectFindings(one, `nothing-lost violation rule-2 changed defaulted bystander-2 .spec.breadth in step 6 (upgrading 1/2)`)
	play(kept, reset).ExpectFindings(
		`rule-4 violation rule-4 changed defaulted bystander-2 .spec.breadth in step 6 (upgrading 1/2)`,
		`rule-4 violation rule-4 lost converted bystander-2 .spec.breadth in step 6 (upgrading 1/2)`)
	play(reset, oracletest.With(".spec.breadth", 7)).ExpectFindings(one,
		`rule-4 violation rule-4 changed converted bystander-2 .spec.breadth in step 6 (upgrading 1/2)`)
}

// A version that the release does not serve shows nothing: rule-4 has no subject.
func TestVersionThatNobodyServes(t *testing.T) {
	for published, judged := range map[string]bool{"example.dev/v1": false, "example.dev/v1beta1": true} {
		run := oracletest.NewMixed(t)
		release := run.History.Releases[term.New]
		release.Schemas = map[string]string{published: "a file"}
		run.History.Releases[term.New] = release
		run.Create("bystander-1", oracletest.PlainSpec)
		run.UseV1beta1(run.Patch("bystander-1"))
		if res := run.ExpectFindings(); !judged {
			oracletest.ExpectNotApplicable(t, res, term.CheckRule4)
		} else if c := oracletest.Check(t, res, term.CheckRule4); c.Judged == 0 {
			t.Errorf("%+v", c)
		}
	}
}
