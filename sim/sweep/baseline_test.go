package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
)

func failing(r Result, g Gate) (ids []string) {
	for _, row := range r.Failing(g) {
		ids = append(ids, row.ID)
	}
	return ids
}

func TestFailing(t *testing.T) {
	row := func(id string, o Outcome) Row { return Row{ID: id, Outcome: o} }
	r := Result{Rows: []Row{
		row("worse", Outcome{Verdict: term.FateUndecodable}),
		row("level", Outcome{Verdict: term.FateLostByOld}),
		row("impact", Outcome{Verdict: term.FateLostByOld, Class: term.Impact}),
		row("impact with a broken rule", Outcome{Verdict: term.FateLostByOld, Class: term.Impact, Cells: []Cell{{Fate: term.FateLostByOld, Class: term.Violation}}}),
		row("impact with a lesser broken rule", Outcome{Verdict: term.FateLostByOld, Class: term.Impact, Cells: []Cell{{Fate: term.FateDropped, Class: term.Violation}}}),
		row("accepted", Outcome{Verdict: term.FateUndecodable, Accepted: "sig-node"}),
		row("better", Outcome{Verdict: term.FateDormant}),
		row("not installed", Outcome{Verdict: term.FateRefused, Cells: []Cell{{Fate: term.FateRefused, Class: term.Violation, Rule: term.RuleInstallable}}}),
		row("a client refused", Outcome{Verdict: term.FateRefused, Cells: []Cell{{Fate: term.FateRefused, Class: term.Violation, Rule: term.Rule1}}}),
		row("not exercised", Outcome{Verdict: term.FateNotExercised}),
	}}
	assert.Empty(t, failing(r, Gate{}))
	assert.Equal(t, []string{"worse", "level", "impact", "impact with a broken rule", "impact with a lesser broken rule", "not installed"}, failing(r, Gate{Level: term.FateLostByOld}))
	assert.Equal(t, []string{"worse", "level", "impact with a broken rule", "not installed"}, failing(r, Gate{Level: term.FateLostByOld, AllowImpacts: true}))
	assert.Equal(t, []string{"worse", "not installed"}, failing(r, Gate{Level: term.FateFrozen}))

	r.Baseline = &Baseline{Changes: []Change{{ID: "level", Change: term.RowWorse}, {ID: "worse", Change: term.RowBetter}}}
	assert.Equal(t, []string{"level"}, failing(r, Gate{Level: term.FateLostByOld}), "what the baseline has already does not fail")
	r.Baseline.Changes[1].Change = term.RowAppeared
	assert.Equal(t, []string{"worse", "level"}, failing(r, Gate{Level: term.FateLostByOld}))
}
