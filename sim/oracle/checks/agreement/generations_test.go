package agreement_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// TestGenerationStandsStill: a release that does not count the changes of a kind's spec,
// beside one that does, is a finding of its own; a label changes no spec, and where both
// count, or neither does, nothing differs.
func TestGenerationStandsStill(t *testing.T) {
	const still = ` varies unattributed bystander-1 .metadata.generation in step 6 (upgrading 1/2)`
	for name, c := range map[string]struct {
		counts []term.Role
		labels bool
		want   []string
	}{
		"the old release stands still": {counts: []term.Role{term.New}, want: []string{"rule-2 impact rule-2" + still}},
		"the new release stands still": {counts: []term.Role{term.Old}, want: []string{"rule-2 violation rule-2 varies unattributed bystander-2 .metadata.generation in step 5 (upgrading 1/2)"}},
		"both count":                   {counts: []term.Role{term.Old, term.New}},
		"neither counts":               {},
		"labels alone are changed":     {counts: []term.Role{term.New}, labels: true},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			for _, role := range c.counts {
				run.Behave(role, oracletest.CountGenerations(t))
			}
			change := oracletest.Set(".spec.colour", "blue")
			if c.labels {
				change = func(*oracletest.Call) {}
			}
			run.Create("bystander-1", oracletest.PlainSpec, oracletest.Via("a"))
			run.Create("bystander-2", oracletest.PlainSpec, oracletest.Via("a"))
			run.Patch("bystander-2", change, oracletest.Via("a"))
			run.Patch("bystander-1", change, oracletest.Via("b"))
			run.Observe()
			res := run.ExpectFindings(c.want...)
			for _, f := range res.Findings {
				assert.Equal(t, term.Unmoved, f.Generation)
			}
		})
	}
}
