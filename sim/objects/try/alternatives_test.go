package try

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestAlternatives: each member that alternatives require is tried alone, also the one that the new release
// no longer has; a rule that states none adds nothing.
func TestAlternatives(t *testing.T) {
	const both, fewer = `[{"required":["a"]},{"required":["c"]}]`, `[{"required":["a"]}]`
	spec := map[string]any{"a": map[string]any{"key": "x"}, "note": "n"}
	union := RuleTarget{Old: both, New: fewer}
	assert.Equal(t, []any{
		map[string]any{"a": map[string]any{"key": "x"}, "note": "n"},
		map[string]any{"c": map[string]any{"key": "x"}, "note": "n"},
		map[string]any{"a": map[string]any{"key": "x"}, "note": "n"},
	}, union.alternatives(nil, spec))
	assert.Equal(t, map[string]any{"a": map[string]any{"key": "x"}, "note": "n"}, spec, "the object stays")
	for _, plain := range []RuleTarget{{Old: "3", New: "2"}, {New: "self.a > 1"}, {Old: `[{"minimum":1}]`}} {
		assert.Empty(t, plain.alternatives(nil, spec))
	}
	assert.Empty(t, union.alternatives(nil, "a text"))
	discriminated := RuleTarget{
		Old: `[{"required":["t"],"properties":{"t":{"enum":["A"]}}},{"required":["t"],"properties":{"t":{"enum":["B"]}}}]`,
		New: `[{"required":["t"],"properties":{"t":{"enum":["A"]}}}]`,
	}
	assert.Contains(t, discriminated.alternatives(nil, map[string]any{"t": "A", "note": "n"}), any(map[string]any{"t": "B", "note": "n"}))
	assert.Contains(t, discriminated.alternatives(nil, map[string]any{"note": "n"}), any(map[string]any{"t": "B", "note": "n"}))
	valued := RuleTarget{Old: `[{"properties":{"t":{"enum":["B"]}}}]`}
	assert.Empty(t, valued.alternatives(nil, map[string]any{"note": "n"}), "a member that nothing requires stays absent")
}
