package oracle_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/result"
)

// TestRuleBrokenElsewhere: a violation is reported once, and the check of its rule says what the headline says. Near
// twin: an impact under a rule breaks none.
func TestRuleBrokenElsewhere(t *testing.T) {
	run := oracletest.NewMixed(t)
	created := run.Create("bystander-1", oracletest.TwoPartsSpec)
	run.EditAnswer(created, oracletest.With(".spec.colour", nil))
	res := run.ExpectFindings(`nothing-lost violation rule-2 dropped unattributed bystander-1 .spec.colour in step 3 (upgrading 1/2)`)
	oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckRule2), term.Fail, "1 violation of the rule, reported by nothing-lost")
	assert.Contains(t, res.Answer, "rule-2 was broken")
	assert.NotContains(t, res.Reason, "rule-2")

	run = oracletest.NewMixed(t)
	run.History.Header.Plan.NoExpect = true
	created = run.Create("bystander-1", oracletest.TwoPartsSpec)
	run.EditAnswer(created, oracletest.With(".spec.lustre", nil))
	run.SetGate(term.New, "Lustre", false)
	res = run.Result()
	assert.Contains(t, res.Answer, "no rule was broken")
	for _, c := range res.Checks {
		assert.NotEqual(t, term.Fail, c.Verdict, c.Name)
	}
}

// TestRuleBrokenAsExpected: of a rule of which the scenario expects every violation, the headline says so, as its check
// passes. Twins: nobody expects it; of two violations one is not expected.
func TestRuleBrokenAsExpected(t *testing.T) {
	changed := func(expect ...scenarios.Expectation) result.Result {
		run := oracletest.NewQuiet(t)
		run.History.Header.Plan.Expect = expect
		run.Change("bystander-1", ".spec.colour", nil)
		run.Observe()
		return run.Result()
	}
	res := changed()
	require.Len(t, res.Findings, 1)
	oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckRule6), term.Fail, "1 violation of the rule, reported by nothing-lost")
	assert.Contains(t, res.Answer, "; rule-6 was broken;")
	res = changed(scenarios.Expectation{Check: term.CheckNothingLost})
	oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckRule6), term.Pass, "1 violation of the rule, as the scenario expects, reported by nothing-lost")
	assert.NotContains(t, fmt.Sprint(res.Contradictions()), "checks:")
	assert.Contains(t, res.Answer, "; rule-6 was broken, as expected;")

	broken := func(rule term.Rule, expected bool) result.Finding {
		return result.Finding{Rule: rule, Class: term.Violation, Expected: expected}
	}
	for want, found := range map[string][]result.Finding{
		"rule-2 was broken":                                             {broken(term.Rule2, true), broken(term.Rule2, false)},
		"rule-1 and rule-2 were broken, as expected":                    {broken(term.Rule2, true), broken(term.Rule1, true)},
		"rule-2 was broken; rule-1 and rule-6 were broken, as expected": {broken(term.Rule2, false), broken(term.Rule1, true), broken(term.Rule6, true)},
		"no rule was broken":                                            {{Rule: term.Rule1, Class: term.Impact}},
	} {
		assert.Equal(t, want, result.RulesBroken(found))
	}

}

// TestRefusedCreateLeads: an unknown run in which a release refused to create an object says that first. Near twins:
// a refused update, and a refusal that the scenario expects.
func TestRefusedCreateLeads(t *testing.T) {
	refused := result.Finding{Outcome: term.Refused, Verb: term.Create, Release: "v1.0.0", Kind: "Widget", Copy: "treated-1", Step: 3, Stage: "old"}
	assert.Equal(t, "v1.0.0 refused to create Widget treated-1 in step 3 (old), so not everything could be judged; ", oracle.RefusedCreate(refused))
	update, expected := refused, refused
	update.Verb, expected.Expected = term.Put, true
	assert.Empty(t, oracle.RefusedCreate(update, expected))
}
