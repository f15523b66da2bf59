package oracle

import (
	"slices"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/term"
)

// JudgeWithout judges by all checks but one.
func JudgeWithout(h *history.History, schemas Schemas, name term.CheckName) result.Result {
	others := slices.DeleteFunc(checks(), func(c check) bool { return c.name == name })
	res, _ := judge(h, schemas, others)
	return res
}
