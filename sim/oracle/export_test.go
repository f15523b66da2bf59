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
