package oracle

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// JudgeBackwards judges with the last check first.
func JudgeBackwards(h *history.History, schemas trace.Schemas) (result.Result, result.Ledger) {
	res, ledger := judge(h, schemas, func(all []check) []check {
		slices.Reverse(all)
		return all
	})
	slices.Reverse(res.Checks)
	return res, ledger
}

// Find judges a history up to its expectations. What it returns holds the findings against
// the expectations that the history has by then, so that many can be tried on one judgement.
func Find(h *history.History, schemas trace.Schemas) func() result.Result {
	_, found := find(h, schemas, everyCheck)
	return func() result.Result {
		res := found
		res.Findings, res.Checks = slices.Clone(found.Findings), slices.Clone(found.Checks)
		compare(h, &res)
		return res
	}
}

// Without judges a history with the body of one check removed: it sees nothing.
func Without(name term.CheckName, h *history.History, schemas trace.Schemas) result.Result {
	res, _ := judge(h, schemas, func(all []check) []check {
		for i := range all {
			if all[i].name == name {
				all[i].judge = func(*trace.Evidence) blame.Judged { return blame.Judged{} }
			}
		}
		return all
	})
	return res
}

// Overall is the verdict on a run of these checks that finished, and why.
func Overall(checks []result.Check, findings ...result.Finding) string {
	h := &history.History{End: &history.End{Outcome: history.Finished}}
	verdict, reason := overall(h, &result.Result{Checks: checks, Findings: findings})
	return string(verdict) + ": " + reason
}

// Disjoint reports whether no finding can match both lines.
func Disjoint(a, b scenarios.Expectation) bool { return disjoint(a, b) }

// ToPropose judges a history up to its expectations: what it returns proposes lines beside
// those that the history has by then.
func ToPropose(h *history.History, schemas trace.Schemas) func(merge bool) ([]Proposal, result.Result) {
	_, found := find(h, schemas, everyCheck)
	return func(merge bool) ([]Proposal, result.Result) { return propose(h, found, merge) }
}

// Worded reports whether the sentence on a run has words for a state: one of a write, or
// one of anything else, and not both.
func Worded(state term.Outcome) bool { return (byWrites[state] == "") != (otherwise[state] == "") }

// Doers says whose doing findings in one state are.
func Doers(h *history.History, found []result.Finding) string { return doers(h, found) }

// RefusedCreate is refusedCreate.
func RefusedCreate(findings ...result.Finding) string {
	return refusedCreate(&result.Result{Findings: findings})
}
