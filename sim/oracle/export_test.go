package oracle

import (
	"slices"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
)

// JudgeBackwards judges with the last check first.
func JudgeBackwards(h *history.History, schemas Schemas) (result.Result, result.Ledger) {
	all := checks()
	slices.Reverse(all)
	res, ledger := judge(h, schemas, all)
	slices.Reverse(res.Checks)
	return res, ledger
}

// Overall is the verdict on a run of these checks that came to its end, and why.
func Overall(checks []result.Check) string {
	h := &history.History{End: &history.End{Outcome: history.Finished}}
	verdict, reason := overall(h, &result.Result{Checks: checks, Findings: make([]result.Finding, 3)})
	return string(verdict) + ": " + reason
}
