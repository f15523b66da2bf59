package prr

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

const statusPath = ".status.observed"

// hiddenBy is a run whose copy x has a value that replica b hides as given at the edge of the
// rollback, and a that hides it too, and that both serve after the second upgrade.
func hiddenBy(role term.CopyRole, b term.Outcome, change func(*result.CopyLedger)) view.Run {
	run := reviewed("status", nil, nil, thereBack...)
	edge := func(stage string, states ...term.Outcome) result.Row {
		row := result.Row{Stage: stage, Edge: true}
		for i, state := range states {
			v := result.View{Replica: []string{"a", "b"}[i], Answer: "digest"}
			if state != "" {
				v.Outcomes = map[string]term.Outcome{statusPath: state}
			}
			row.Views = append(row.Views, v)
		}
		return row
	}
	c := &run.Ledger.Copies[0]
	c.Role = role
	c.Fields = []result.Field{{Path: statusPath, Step: 1, Outcome: term.Kept}}
	c.Rows = append(c.Rows, edge("upgrade1", "", ""), edge("rollback2", term.Hidden, b), edge("upgrade3", "", ""))
	change(c)
	return run
}

// TestReappeared: a value that every replica hid after the rollback, and that is served again
// without a write, came back, whoever judges it. Only where such a value was judged, none came back.
func TestReappeared(t *testing.T) {
	const (
		came    = "1 value on 1 object that every replica hid before, and that nothing wrote in between, reappeared"
		none    = "no value that was hidden reappeared"
		nothing = "no value that could reappear had been hidden"
		treated = term.Treated
	)
	asIs := func(*result.CopyLedger) {}
	for name, c := range map[string]struct {
		run  view.Run
		want string
	}{
		"a status that was written before": {hiddenBy(treated, term.Hidden, asIs), came},
		"one replica showed it":            {hiddenBy(treated, "", asIs), nothing},
		"it was lost":                      {hiddenBy(treated, term.Lost, asIs), nothing},
		"it was written in between": {hiddenBy(treated, term.Hidden, func(c *result.CopyLedger) {
			c.Rows[len(c.Rows)-1].Requests = []result.Request{{Method: http.MethodPut, Code: http.StatusOK}}
		}), nothing},
		"it was not acknowledged": {hiddenBy(treated, term.Hidden, func(c *result.CopyLedger) { c.Fields[0].Step = 0 }), nothing},
		"it stays hidden": {hiddenBy(treated, term.Hidden, func(c *result.CopyLedger) {
			c.Rows[len(c.Rows)-1] = c.Rows[len(c.Rows)-2]
			c.Rows[len(c.Rows)-1].Stage = "upgrade3"
		}), nothing},
		"the check judged it": {hiddenBy(term.Untouched, term.Hidden, asIs), none}, // its findings would be in the result
	} {
		told := answersOf(t, c.run)[askAgain]
		for _, sentence := range []string{came, none, nothing} {
			assert.Equal(t, sentence == c.want, strings.Contains(told, sentence), "%s: %s", name, told)
		}
	}

	found := hiddenBy(treated, term.Hidden, asIs)
	found.Result.Findings = []result.Finding{{Check: term.CheckResurrection, Outcome: term.Resurrected, Copy: "y", Stage: "upgrade3"}}
	told := answersOf(t, found)[askAgain]
	assert.Contains(t, told, "1 finding in 1 kind; "+came)
	assert.NotContains(t, answersOf(t, found)[askDisable], came, "the rollback is another question")
}
