package checks_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
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

// TestGenerationOfEachObject: an object whose own copies show that its generation stands still in one
// release has its finding, whatever other objects of the kind show, so that the object alone shows
// the same. An object that only one release changes has none of its own.
func TestGenerationOfEachObject(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Behave(term.New, oracletest.CountGenerations(t))
	change := oracletest.Set(".spec.colour", "blue")
	for _, object := range []string{"one", "other", "third"} {
		run.History.Header.Plan.Manifests[object] = plan.Manifest{APIVersion: "example.dev/v1", Kind: "Widget"}
		for _, via := range []string{"a", "b"} {
			if object == "third" && via == "a" {
				continue
			}
			run.Create("bystander-"+object+via, oracletest.PlainSpec, oracletest.Of(object), oracletest.Via("a"))
			run.Patch("bystander-"+object+via, change, oracletest.Of(object), oracletest.Via(via))
		}
	}
	run.Observe()
	run.ExpectFindings(
		"rule-2 impact rule-2 varies unattributed bystander-oneb .metadata.generation in step 6 (upgrading 1/2)",
		"rule-2 impact rule-2 varies unattributed bystander-otherb .metadata.generation in step 10 (upgrading 1/2)")
}
