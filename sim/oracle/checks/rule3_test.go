package checks_test

import (
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// rule-3: trouble that an unknown field gives too is a refusal, and a refusal is
// no harm.
func TestRule3(t *testing.T) {
	harm := func(t *testing.T, code int) (*oracletest.Run, int) {
		run := oracletest.NewMixed(t)
		run.Create("treated-1", oracletest.ShineSpec)
		return run, run.Put("treated-1", oracletest.ReadVia("a"), oracletest.Via("b"), oracletest.Refused(code, "field not declared"))
	}
	run, step := harm(t, 500)
	run.ExpectFindings(`rule-3 violation rule-3 failed unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`)
	run.Probe(step, "b", 200)
	oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`rule-3 violation rule-3 failed unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`),
		`Widget treated-1: step 4 (upgrading 1/2: put by dynamic, read a (v2.0.0), via b (v1.0.0)) sent .spec.shine, which v1.0.0 does not publish, and was answered 500: field not declared; an unknown field is answered 200: field not declared; violation under rule-3`)

	run, step = harm(t, 500)
	run.Probe(step, "b", 500)
	oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`rule-3 impact rule-3 refused unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`),
		`Widget treated-1: step 4 (upgrading 1/2: put by dynamic, read a (v2.0.0), via b (v1.0.0)) sent .spec.shine, which v1.0.0 does not publish, and was answered 500: field not declared; an unknown field is answered the same; impact under rule-3`)

	run, _ = harm(t, 422)
	res := run.ExpectFindings(`answers violation rule-5 refused unattributed treated-1  in step 4 (upgrading 1/2)`)
	if c := oracletest.Check(t, res, term.CheckRule3); c.Judged != 1 || c.Findings != 0 {
		t.Errorf("the control: %+v", c)
	}
}

// A call that does not send the change is not judged by rule-3, whatever its answer.
func TestRule3IsAboutTheChange(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Create("treated-2", oracletest.ShineSpec)
	run.Put("treated-1", oracletest.ReadVia("a"), oracletest.Via("b"), oracletest.By(term.OldTyped), oracletest.Refused(500, "oops"))
	run.Put("treated-2", oracletest.ReadVia("a"), oracletest.Via("a"), oracletest.Refused(500, "oops"))
	res := run.ExpectFindings(
		`answers violation rule-5 failed unattributed treated-1  in step 5 (upgrading 1/2)`,
		`answers violation rule-5 failed unattributed treated-2  in step 6 (upgrading 1/2)`)
	oracletest.ExpectNotApplicable(t, res, term.CheckRule3)
}

// A call that was planned and could carry the change is what rule-3 is about, though it
// was not played; one of a client without the change is not.
func TestRule3OfACallThatWasNotPlayed(t *testing.T) {
	for client, applies := range map[term.Client]bool{term.Dynamic: true, term.OldTyped: false} {
		run := oracletest.NewMixed(t)
		m := run.History.Header.Plan.Manifests["widget"]
		m.Body = oracletest.Object{"spec": oracletest.Parse(t, oracletest.ShineSpec)}
		run.History.Header.Plan.Manifests["widget"] = m
		run.Create("treated-1", oracletest.ShineSpec)
		step := run.Put("treated-1", oracletest.ReadVia("a"), oracletest.Via("b"), oracletest.By(client))
		run.History.Operations = slices.DeleteFunc(run.History.Operations, func(op history.Operation) bool { return op.Step == step })
		run.History.Skips = append(run.History.Skips, oracletest.Skip(step, "not played"))
		if res := run.Result(); applies {
			oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckRule3), term.Unknown, "it saw nothing to judge")
		} else {
			oracletest.ExpectNotApplicable(t, res, term.CheckRule3)
		}
	}
}

// A call that names the change is planned to send it; one that names another value is not.
func TestRule3OfANameThatWasNotSent(t *testing.T) {
	for at, applies := range map[string]bool{".spec.shine.level": true, ".spec.colour": false} {
		run := oracletest.NewMixed(t)
		run.Create("treated-1", oracletest.ShineSpec)
		step := run.Patch("treated-1", oracletest.Via("b"), oracletest.Set(at, "4"))
		run.History.Operations = slices.DeleteFunc(run.History.Operations, func(op history.Operation) bool { return op.Step == step })
		run.History.Skips = append(run.History.Skips, oracletest.Skip(step, "not played"))
		if res := run.Result(); applies {
			oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckRule3), term.Unknown, "it saw nothing to judge")
		} else {
			oracletest.ExpectNotApplicable(t, res, term.CheckRule3)
		}
	}
}

// What a list of instructions sends is what it names.
func TestRule3OfInstructions(t *testing.T) {
	for at, want := range map[string]string{
		".spec.shine.level": `rule-3 violation rule-3 failed unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`,
		".spec.colour":      `answers violation rule-5 failed unattributed treated-1  in step 4 (upgrading 1/2)`,
	} {
		run := oracletest.NewMixed(t)
		run.Create("treated-1", oracletest.ShineSpec)
		step := run.PatchWith(term.JSONPatch, "treated-1", []oracletest.Option{oracletest.Via("b"), oracletest.Set(at, "4"), oracletest.Refused(500, "no")})
		run.Operation(step, history.Act).Exchange.Sent = run.Blob([]any{oracletest.Object{"op": "add", "path": "/spec", "value": "4"}})
		run.ExpectFindings(want)
	}
}

// rule-3: a release that cannot decode the object at all fails at whatever it is
// sent, an unknown field too; that is no word about fields.
func TestRule3OfAnUnreadableObject(t *testing.T) {
	play := func(readable bool) *oracletest.Run {
		run := oracletest.NewMixed(t)
		run.Create("treated-1", oracletest.ShineSpec)
		number := run.Put("treated-1", oracletest.ReadVia("a"), oracletest.Via("b"), oracletest.Refused(500, "no kind Widget is registered")) // step 4
		run.Probe(number, "b", 500)
		if !readable {
			oracletest.Fail(run.Exchange(3, history.Look, "b"), 500, "no kind Widget is registered")
			oracletest.Fail(run.Exchange(number, history.Look, "b"), 500, "no kind Widget is registered")
		}
		return run
	}
	play(true).ExpectFindings(`rule-3 impact rule-3 refused unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`)
	play(false).ExpectFindings(`everything-decodes violation storage undecodable unattributed treated-1  in step 3 (upgrading 1/2)`,
		`answers violation rule-5 failed unattributed treated-1  in step 4 (upgrading 1/2)`)
}

// What a call sends is held against the version that it goes through: a change
// of another version is not one that it sends.
func TestChangeOfAnotherVersion(t *testing.T) {
	for through, want := range map[bool]string{
		false: `rule-3 violation rule-3 failed unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`,
		true:  `answers violation rule-5 failed unattributed treated-1  in step 4 (upgrading 1/2)`,
	} {
		run := oracletest.NewMixed(t)
		run.Create("treated-1", oracletest.ShineSpec)
		put := run.Put("treated-1", oracletest.ReadVia("a"), oracletest.Via("b"), oracletest.Refused(500, "no"))
		if through {
			run.UseV1beta1(put)
		}
		run.ExpectFindings(want)
	}
}
