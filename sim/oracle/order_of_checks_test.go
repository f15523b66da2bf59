package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// What checks and the ledger go by is found out before any of them judges: in
// whatever order they do, causes, states and values are the same.
func TestOrderOfChecksChangesNothing(t *testing.T) {
	run := oracletest.NewRolledBack(t, "untouched-1")
	run.Create("treated-1", `{"colour": "red", "tags": ["p", "q"]}`, oracletest.Via("a"))
	run.StoredChange("treated-1").Encoding = "encrypted"
	oracletest.Fail(run.Exchange(run.Steps, history.Look, "b"), 500, "no key")
	step := run.DryRuns("treated-1")
	oracletest.Fail(&run.DryRun(step, "treated-1", "b", term.LabelAttempt).Exchange, 500, "no key")
	run.Observe()
	run.Reupgrade()
	inOrder, ledgerInOrder := run.Judge()
	res, ledger := oracle.JudgeBackwards(run.History, run.Schemas)
	res.Reason = inOrder.Reason // it names the first check that failed
	if got, want := written(t, res, ledger), written(t, inOrder, ledgerInOrder); got != want {
		t.Errorf("backwards:\n%s\nin order:\n%s", got, want)
	}
	causes := map[term.Cause]bool{}
	for _, f := range res.Findings {
		causes[f.Cause] = causes[f.Cause] || f.Check == term.CheckStaysWritable
	}
	if !causes[term.KeyMissing] || oracletest.Check(t, res, term.CheckResurrection).Findings == 0 {
		t.Errorf("the story tells too little: %+v", res.Findings)
	}
}
