package precheck

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// TestForbidden: a forbidden answer may be about another object, which the plan creates
// before.
func TestForbidden(t *testing.T) {
	p := runtest.SmallPlan(t, runtest.Small)
	acc := &acceptance{Config: Config{Known: fleet.NewKnown(p)}}
	forbidden := response{Code: 403}
	assert.False(t, acc.hangs("bystander.yaml", forbidden))
	class := p.Manifests["bystander.yaml"]
	class.Kind = "Class"
	p.Manifests["class.yaml"] = class
	assert.True(t, acc.hangs("bystander.yaml", forbidden))
	assert.False(t, acc.hangs("bystander.yaml", response{Code: 422}))
}

func TestAgainst(t *testing.T) {
	p := runtest.SmallPlan(t, runtest.Small)
	m := p.Manifests["treated.yaml"]
	m.Body = map[string]any{
		"metadata": map[string]any{"labels": map[string]any{"a": "x", "b.c/d": true}},
		"spec":     map[string]any{"parts": []any{map[string]any{"name": "y"}, map[string]any{"name": false}}, "size": "three"},
	}
	p.Manifests["treated.yaml"] = m
	acc := &acceptance{Config: Config{Known: fleet.NewKnown(p)}}
	const cannot = `Gadget in version "v1" cannot be handled as a Gadget: json: cannot unmarshal `
	for message, want := range map[string]cause{
		cannot + "string into Go struct field GadgetSpec.spec.size of type int32":            {"spec.size", "is of type string, and int32 is wanted"},
		cannot + "bool into Go struct field Part.spec.parts.name of type string":             {"spec.parts[1].name", "is of type bool, and string is wanted: quote it"},
		cannot + "bool into Go struct field ObjectMeta.metadata.labels of type string":       {"metadata.labels[b.c/d]", "is of type bool, and string is wanted: quote it"},
		cannot + "array into Go struct field Gadget.elsewhere of type v1.Elsewhere":          {"elsewhere", "is of type array, and v1.Elsewhere is wanted"},
		`Gadget in version "v1" cannot be handled as a Gadget: quantities must be such`:      {"", "quantities must be such"},
		`gadgets "x-001" is forbidden: no PriorityClass with name high was found`:            {"", "no PriorityClass with name high was found"},
		`the server does not allow this method on the requested resource, whatever is asked`: {"", `the server does not allow this method on the requested resource, whatever is asked`},
	} {
		assert.Equal(t, []cause{want}, acc.against("treated.yaml", response{Code: 400, Message: message}), message)
	}
}
