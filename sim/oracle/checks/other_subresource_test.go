package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// withoutStatus has a release serve no /status of any kind.
func withoutStatus(run *oracletest.Run, role term.Role) {
	of := run.History.Releases[role]
	of.Resources = oracletest.Resources()
	for i := range of.Resources {
		of.Resources[i].Subresources = nil
	}
	run.History.Releases[role] = of
}

// TestOtherSubresource: a status that a release with /status drops is written elsewhere there, if the other one
// has no /status; a /status that the release lacks, and the other one has, is not found. Where both have it, the
// evidence does not say why.
func TestOtherSubresource(t *testing.T) {
	status := oracletest.Set(".status.conditions", []any{oracletest.Object{"type": "Ready", "status": "True"}})
	for _, lacks := range []bool{true, false} {
		cause := map[bool]string{true: "other-subresource", false: "unattributed"}[lacks]
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", oracletest.TwoPartsSpec)
		run.Create("bystander-2", oracletest.TwoPartsSpec)
		run.Patch("bystander-2", status, oracletest.Via("b"))
		run.EditAnswer(run.Patch("bystander-1", status, oracletest.Via("a")), oracletest.With(".status", nil))
		if lacks {
			withoutStatus(run, term.Old)
		}
		run.ExpectFindings("nothing-lost violation rule-2 dropped " + cause + " bystander-1 .status in step 6 (upgrading 1/2)")

		run = oracletest.NewMixed(t)
		run.Create("bystander-1", oracletest.TwoPartsSpec)
		patched := run.StatusPatch("bystander-1", status, oracletest.Via("a"))
		*run.Exchange(patched, history.Act, "a") = history.Exchange{Method: "PATCH", Code: 404, Reason: "NotFound", Message: "not found"}
		if lacks {
			withoutStatus(run, term.New)
		}
		run.ExpectFindings("answers violation rule-1 refused " + cause + " bystander-1  in step 4 (upgrading 1/2)")
	}
}
