package play

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/objects"
	"github.com/skewsim/skewsim/sim/sweep"
)

// TestIsFixed: a key of a list's elements, and a field that a rule compares with what was stored, cannot be changed
// in place; other members of the element, and fields with other rules, can.
func TestIsFixed(t *testing.T) {
	const document = `{"components": {"schemas": {"dev.example.v1.Thing": {
		"x-kubernetes-group-version-kind": [{"group": "example.dev", "version": "v1", "kind": "Thing"}], "type": "object",
		"properties": {"spec": {"type": "object", "properties": {
			"note": {"type": "string", "x-kubernetes-validations": [{"rule": "self == oldSelf"}]},
			"mode": {"type": "string", "x-kubernetes-validations": [{"rule": "self != ''"}]},
			"l": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
				"items": {"type": "object", "properties": {"name": {"type": "string"}, "z": {"type": "string"}}}}}}}}}}}`
	p := newDocuments(lapServers{})
	d, err := objects.ReadDefinitions(json.RawMessage(document))
	assert.NoError(t, err)
	for _, r := range term.Roles() {
		p.read[string(r.Word)+" example.dev/v1"] = &d
	}
	o := sweep.Object{}
	o.Target.APIVersion, o.Target.Kind = "example.dev/v1", "Thing"
	o.Specimen.Object = map[string]any{"spec": map[string]any{"note": "a", "mode": "b", "l": []any{map[string]any{"name": "x", "z": "y"}}}}
	assert.True(t, p.isFixed(o, objects.Location{"spec", "note"}))
	assert.False(t, p.isFixed(o, objects.Location{"spec", "mode"}))
	assert.True(t, p.isFixed(o, objects.Location{"spec", "l", "0", "name"}))
	assert.False(t, p.isFixed(o, objects.Location{"spec", "l", "0", "z"}))
	assert.False(t, p.isFixed(o, objects.Location{"spec", "unknown"}))
}
