package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// A mutant is caught by the finding that its scenario names, and missed when
// another check finds something, or the same check somewhere else.
func TestCaughtMutant(t *testing.T) {
	type e = scenarios.Expectation
	run := twoLosses(t)
	for _, c := range []struct {
		name   string
		want   e
		seen   int
		caught bool
		says   string
	}{
		{"its check and place", e{Check: term.CheckNothingLost, Stage: []string{"new", "upgrading"}}, 2, true, `caught by nothing-lost: 2 findings agree with "nothing-lost at new|upgrading", the first in step `},
		{"counted", e{Check: term.CheckNothingLost, Via: []term.Role{term.Old}, Count: 2}, 2, true, "caught by nothing-lost: 2 findings"},
		{"another count", e{Check: term.CheckNothingLost, Via: []term.Role{term.Old}, Count: 1}, 2, false, `missed: 2 findings agree with "nothing-lost via old", and count says 1`},
		{"another check", e{Check: term.CheckRule1, Via: []term.Role{term.Old}}, 0, false, `missed: no finding agrees with "rule-1 via old"`},
		{"another release", e{Check: term.CheckNothingLost, Via: []term.Role{term.New}}, 0, false, "missed: no finding"},
		{"another stage", e{Check: term.CheckNothingLost, Stage: []string{"rolled-back"}}, 0, false, "missed: no finding"},
		{"another cause", e{Check: term.CheckNothingLost, Cause: scenarios.OneOf[term.Cause]{term.GateDisabled}, Via: []term.Role{term.Old}}, 0, false, "missed: no finding"},
	} {
		run.History.Header.Plan.Mutant = &plan.Mutant{Name: "required", About: "a mistake", Caught: c.want}
		res, _ := run.Judge()
		require.NotNil(t, res.Mutant)
		assert.Contains(t, res.Mutant.Message, c.says, c.name)
		res.Mutant.Message = ""
		assert.Equal(t, &result.Mutant{Name: "required", About: "a mistake", Expectation: c.want, Seen: c.seen, Caught: c.caught}, res.Mutant, c.name)
		assert.Equal(t, term.Fail, res.Verdict, "the verdict is that of expect alone")
	}
	run.History.Header.Plan.Mutant = nil
	res, _ := run.Judge()
	assert.Nil(t, res.Mutant)
	// What the scenario expects of the right release catches no mutant.
	run.History.Header.Plan.Expect = []e{{Check: term.CheckNothingLost}}
	run.History.Header.Plan.Mutant = &plan.Mutant{Name: "required", Caught: e{Check: term.CheckNothingLost, Via: []term.Role{term.Old}}}
	res, _ = run.Judge()
	assert.False(t, res.Mutant.Caught, res.Mutant.Message)
}
