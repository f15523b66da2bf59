package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

const withMutant = `name: s
about: x
releases: {of: frobber}
objects: {x: {bystander: bystander.yaml}}
play: [{create: x}]
mutants:
  required:
    about: |
      The field
      must be sent.
    caught: {check: rule-1, via: new}
`

// The plan names its mutant, and otherwise equals the scenario's plan.
func TestMutant(t *testing.T) {
	s := parse(t, "s", withMutant)
	right := build(t, s, 0)
	assert.Nil(t, right.Mutant)
	assert.Equal(t, "s", right.FullName())
	s.Mutant = "required"
	wrong := build(t, s, 0)
	assert.Equal(t, "s+required", wrong.FullName())
	assert.True(t, strings.HasPrefix(wrong.String(), "s+required: kube-apiserver@v1.36.3 -> kube-apiserver@v1.37.0\nmutant required: The field must be sent.\njourney "), wrong.String())
	assert.Equal(t, &plan.Mutant{
		Name: "required", About: "The field\nmust be sent.",
		Caught: scenarios.Expectation{Check: term.CheckRule1, Via: []term.Role{term.New}, Line: 11},
	}, wrong.Mutant)
	wrong.Mutant = nil
	assert.Equal(t, right, wrong)
}
