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
	row := func(id string, o LapResult) Row { return Row{ID: id, LapResult: o} }
	r := Result{Rows: []Row{
		row("worse", LapResult{Effect: term.Undecodable.Effect()}),
		row("level", LapResult{Effect: term.Lost.By(term.OldServer)}),
		row("impact", LapResult{Effect: term.Lost.By(term.OldServer), Class: term.Impact}),
		row("impact with a broken rule", LapResult{Effect: term.Lost.By(term.OldServer), Class: term.Impact, Cells: []Cell{{Effect: term.Lost.By(term.OldServer), Class: term.Violation}}}),
		row("impact with a lesser broken rule", LapResult{Effect: term.Lost.By(term.OldServer), Class: term.Impact, Cells: []Cell{{Effect: term.Dropped.Effect(), Class: term.Violation}}}),
		row("accepted", LapResult{Effect: term.Undecodable.Effect(), Accepted: "sig-node"}),
		row("better", LapResult{Effect: term.Hidden.Effect()}),
		row("not installed", LapResult{Effect: term.Refused.Effect(), Cells: []Cell{{Effect: term.Refused.Effect(), Class: term.Violation, Rule: term.RuleInstallable}}}),
		row("a client refused", LapResult{Effect: term.Refused.Effect(), Cells: []Cell{{Effect: term.Refused.Effect(), Class: term.Violation, Rule: term.Rule1}}}),
		row("not exercised", LapResult{Effect: term.NotExercised.Effect()}),
	}}
	assert.Empty(t, failing(r, Gate{}))
	assert.Equal(t, []string{"worse", "level", "impact", "impact with a broken rule", "impact with a lesser broken rule", "not installed"}, failing(r, Gate{Level: term.Lost.By(term.OldServer)}))
	assert.Equal(t, []string{"worse", "level", "impact with a broken rule", "not installed"}, failing(r, Gate{Level: term.Lost.By(term.OldServer), AllowImpacts: true}))
	assert.Equal(t, []string{"worse", "not installed"}, failing(r, Gate{Level: term.Frozen.Effect()}))

	r.Baseline = &Baseline{Changes: []Change{{ID: "level", Change: term.RowWorse}, {ID: "worse", Change: term.RowBetter}}}
	assert.Equal(t, []string{"level"}, failing(r, Gate{Level: term.Lost.By(term.OldServer)}), "what the baseline has already does not fail")
	r.Baseline.Changes[1].Change = term.RowAppeared
	assert.Equal(t, []string{"worse", "level"}, failing(r, Gate{Level: term.Lost.By(term.OldServer)}))
}
