package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
)

// What checks and the ledger go by is found out before any of them judges: in
// whatever order they do, causes, states and values are the same.
func TestOrderOfChecksChangesNothing(t *testing.T) {
	s := rolledBack(t, "untouched-1")
	s.create("treated-1", `{"colour": "red", "tags": ["p", "q"]}`, via("a"))
	s.changeOf("treated-1").Encoding = "encrypted"
	fails(s.recorded(s.steps, history.Look, "b"), 500, "no key")
	step := s.attempt("treated-1")
	fails(&s.tried(step, "treated-1", "b", term.LabelAttempt).Exchange, 500, "no key")
	s.edge()
	s.reUpgraded()
	inOrder, ledgerInOrder := s.judge()
	res, ledger := oracle.JudgeBackwards(s.h, s.schemas)
	res.Reason = inOrder.Reason // it names the first check that failed
	if got, want := written(t, res, ledger), written(t, inOrder, ledgerInOrder); got != want {
		t.Errorf("backwards:\n%s\nin order:\n%s", got, want)
	}
	causes := map[term.Cause]bool{}
	for _, f := range res.Findings {
		causes[f.Cause] = causes[f.Cause] || f.Check == term.CheckStaysWritable
	}
	if !causes[term.KeyMissing] || check(t, res, term.CheckResurrection).Findings == 0 {
		t.Errorf("the story tells too little: %+v", res.Findings)
	}
}
