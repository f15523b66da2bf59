package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// rule-5: an old client goes on as before, on what new clients have made.
func TestRule5(t *testing.T) {
	run := oracletest.NewControlled(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Patch("treated-1", oracletest.By(term.OldTyped))
	if c := oracletest.Check(t, run.ExpectFindings(), term.CheckRule5); c.Judged != 1 || c.Verdict != term.Pass {
		t.Errorf("the control: %+v", c)
	}

	run = oracletest.NewControlled(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Patch("treated-1", oracletest.By(term.OldTyped), oracletest.Refused(422, "shine may not change"))
	res := run.ExpectFindings(`rule-5 violation rule-5 refused unattributed treated-1  in step 7 (upgrading 1/2)`)
	oracletest.ExpectOnlyMessage(t, res, `Widget treated-1: step 7 (upgrading 1/2: merge-patch by old-typed, via a (v2.0.0)) was answered 422: shine may not change; the same call on an object that does not use the change succeeded in step 4 (old: merge-patch by old-typed, via a (v1.0.0), on control-1); violation under rule-5`)

	run = oracletest.NewControlled(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Create("treated-2", oracletest.ShineSpec)
	run.Patch("treated-1", oracletest.By(term.OldTyped), oracletest.Refused(422, "no"), oracletest.Respond(oracletest.Code(422)))
	run.Patch("treated-2", oracletest.By(term.NewTyped), oracletest.Refused(422, "no"))
	res = run.ExpectFindings(`answers violation rule-5 refused unattributed treated-2  in step 9 (upgrading 1/2)`)
	if c := oracletest.Check(t, res, term.CheckRule5); c.Judged != 0 || c.Verdict != term.Fail {
		t.Errorf("a declared refusal, and a new client: %+v", c)
	}
}
