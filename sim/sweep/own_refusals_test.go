package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/result"
)

// TestLacksMembers: a struct with too few members lacks what a client left out; one that has a member too many,
// or that breaks a rule in CEL, may have what a release filled in.
func TestLacksMembers(t *testing.T) {
	for message, want := range map[string]bool{
		"Invalid value: 0: spec.provider in body should have at least 1 properties":                                      true,
		"Invalid value: \"\": \"spec.source\" must validate one and only one schema (oneOf). Found none valid":           true,
		"Invalid value: \"\": \"spec.source\" must validate at least one schema (anyOf)":                                 true,
		"Invalid value: \"\": \"spec.source\" must validate one and only one schema (oneOf). Found 2 valid alternatives": false,
		"Too many: 2: must have at most 1 items":                                                                         false,
		"Invalid value: \"object\": exactly one of a or b":                                                               false,
	} {
		assert.Equal(t, want, LacksMembers(result.StatusCause{Reason: "FieldValueInvalid", Field: "spec.source", Message: message}), message)
	}
	assert.True(t, LacksMembers(result.StatusCause{Reason: "FieldValueRequired", Field: "spec.a", Message: "Required value"}))
}

// TestSameField: the entry of a map, or the element of a list, and any of them are one field; its members and
// the map itself are others.
func TestSameField(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{".spec.deep.sample.lv", ".spec.deep[].lv", true}, {".spec.deep[].lv", ".spec.deep.sample.lv", true}, {".spec.lv", ".spec.lv", true},
		{".spec.deep.sample.lv", ".spec.deep[].other", false}, {".spec.deep", ".spec.deep[]", false}, {".spec.deep[]", ".spec.deep[].lv", false}, {"", "", false},
	} {
		assert.Equal(t, c.want, isSameField(c.a, c.b), "%s %s", c.a, c.b)
	}
}

// TestAppendedCondition: what a server says of a condition that a write appends is no evidence of those that are
// stored.
func TestAppendedCondition(t *testing.T) {
	p := playedOf(Object{Specimen: try.Specimen{Object: map[string]any{"apiVersion": "example.dev/v1", "kind": "Thing",
		"status": map[string]any{"conditions": []any{map[string]any{"type": "Old"}}}}}})
	for field, want := range map[string]bool{
		"status.conditions[1].type": true, "status.conditions[0].type": false, "status.conditions": false, "status.phase": false,
	} {
		assert.Equal(t, want, p.isOfAppended(result.StatusCause{Field: field}), field)
	}
}
