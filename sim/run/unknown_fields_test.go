package run

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/precheck"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

const typo = `name: small
about: x
objects: {x: {bystander: typo.yaml}}
play:
- {create: x, via: old}
`

const inFile = `typo.yaml: spec.sise: neither v1 nor v2 has such a field of Gadget: did you mean "size"?; if it is meant, ` +
	`declare the warning where the object is created: respond: {warnings: ['unknown field "spec.sise"']}`

const onLine = `; if it is meant, declare what the server says on the line, as in respond: {warnings: [unknown field]}`

// TestFieldError: unknown fields, wherever a scenario names them.
func TestFieldError(t *testing.T) {
	t.Parallel()
	right := strings.Replace(typo, "typo.yaml", "bystander.yaml", 1)
	for text, want := range map[string]string{
		typo: inFile,
		right + "- {set: x, fields: {.spec.latter: 7}, via: new}": `small.yaml:6: .spec.latter: neither v1 nor v2 has such a field of Gadget: did you mean "later"?` + onLine,
		right + "- {get: x, respond: {fields: {.sepc.size: 2}}}":  `small.yaml:6: .sepc.size: neither v1 nor v2 has such a field of Gadget: did you mean "spec"?` + onLine,
		right + "expect: [{check: rule-2, path: .spec.colour}]":   `small.yaml:6: .spec.colour: neither v1 nor v2 has such a field of Gadget`,
	} {
		w := runtest.NewWorld(t)
		err := Run(runtest.Bounded(t), config(t, w, runtest.SmallPlan(t, text)))
		var field *precheck.FieldError
		require.ErrorAs(t, err, &field, text)
		assert.EqualError(t, err, want)
		assert.Empty(t, w.Seen("on store"), "no server is started for nothing")
	}
}

// TestFieldsThatAreMeant: fields that one release has, declared ones, and those of a place
// that accepts any.
func TestFieldsThatAreMeant(t *testing.T) {
	t.Parallel()
	right := strings.Replace(typo, "typo.yaml", "bystander.yaml", 1)
	for _, text := range []string{
		runtest.Small, // has a field that only v2 has
		strings.Replace(typo, "via: old}", `via: old, respond: {warnings: ['unknown field "spec.sise"']}}`, 1),
		strings.Replace(typo, "via: old}", `via: old, fieldValidation: Strict, respond: {code: 400}}`, 1),
		right + "- {set: x, fields: {.spec.later: 7}, via: old}",
		right + "- {set: x, fields: {.spec.latter: 7}, via: old, respond: {warnings: [unknown field]}}",
		right + "- {set: x, fields: {'.metadata.annotations[\"a.b/c\"]': z}, via: old}",
	} {
		require.NoError(t, Run(runtest.Bounded(t), config(t, runtest.NewWorld(t), runtest.SmallPlan(t, text))), text)
	}
	elsewhere := runtest.SmallPlan(t, right+"expect: [{check: rule-2, path: .spec.colour}]")
	elsewhere.Elsewhere = []plan.Elsewhere{{Place: 1}}
	require.NoError(t, Run(runtest.Bounded(t), config(t, runtest.NewWorld(t), elsewhere)), "the line is for other releases, which may have it")
	other := strings.Replace(typo, "via: old}", `via: old, respond: {warnings: ['unknown field "spec.other"']}}`, 1)
	assert.ErrorContains(t, Run(runtest.Bounded(t), config(t, runtest.NewWorld(t), runtest.SmallPlan(t, other))), "spec.sise", "another was declared")
	p := runtest.SmallPlan(t, typo)
	p.Mutant = &plan.Mutant{Name: "silent"}
	require.NoError(t, Run(runtest.Bounded(t), config(t, runtest.NewWorld(t), p)), "a mutant may know fields that it does not publish")
}
