package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
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
	p := played{object: Object{Specimen: try.Specimen{Object: map[string]any{"apiVersion": "example.dev/v1", "kind": "Thing",
		"status": map[string]any{"conditions": []any{map[string]any{"type": "Old"}}}}}}}
	for field, want := range map[string]bool{
		"status.conditions[1].type": true, "status.conditions[0].type": false, "status.conditions": false, "status.phase": false,
	} {
		assert.Equal(t, want, p.isOfAppended(result.StatusCause{Field: field}), field)
	}
}

// TestRuleBehindAnEnum: a value that an enum refuses when it is created hides what a rule in CEL says of it, where
// the rule names the field; servers check the rule of the stored value.
func TestRuleBehindAnEnum(t *testing.T) {
	row := func(path, name, text string) Row {
		return Row{Difference: diff.Difference{Difference: term.RuleAdded, Path: path, Name: name, New: text}}
	}
	trial := func(held string) try.Trial { return try.Trial{Held: held} }
	refused := func(reason, field string) try.Answer {
		return try.Answer{StatusCauses: []result.StatusCause{{Reason: reason, Field: field}}}
	}
	rule := row(".spec", "self.provider == 'azure' || !has(self.account)", "self.provider == 'azure' || !has(self.account)")
	assert.True(t, rule.isHiddenBy(trial(".spec.provider"), refused("FieldValueNotSupported", "spec.provider")))
	assert.False(t, rule.isHiddenBy(trial(".spec.provider"), refused("FieldValueInvalid", "spec.provider")), "another rule refuses it")
	assert.False(t, rule.isHiddenBy(trial(".spec.provider"), refused("FieldValueNotSupported", "spec.other")), "of another field")
	assert.False(t, rule.isHiddenBy(trial(".spec.mode"), refused("FieldValueNotSupported", "spec.mode")), "the rule does not name it")
	assert.False(t, row(".spec", "oneOf", `[{"required":["provider"]}]`).isHiddenBy(trial(".spec.provider"), refused("FieldValueNotSupported", "spec.provider")), "schemas are checked beside enums")
}
