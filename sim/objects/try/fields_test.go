package try

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestFields: fields for which no release states another rule are tried on both, and only what they
// answer differently is a trial.
func TestFields(t *testing.T) {
	plain := func() RuleTarget {
		field := target("", "", ".spec.mode", gadget(map[string]any{"mode": "Always"}))
		field.Values = []any{"Never", "Sometimes"}
		return field
	}
	isNot := func(value string) func(object, _ map[string]any) bool {
		return func(object, _ map[string]any) bool { return spec(object, "mode") != value }
	}
	immutable := func(object, before map[string]any) bool {
		return before == nil || spec(object, "mode") == spec(before, "mode")
	}
	for name, c := range map[string]struct {
		old, new func(object, before map[string]any) bool
		value    any
		by       term.Role
		update   bool
	}{
		"alike":                   {old: isNot("Never"), new: isNot("Never")},
		"a value goes":            {old: all, new: isNot("Sometimes"), value: "Sometimes", by: term.Old},
		"a value comes":           {old: isNot("Sometimes"), new: all, value: "Sometimes", by: term.New},
		"it cannot be changed":    {old: all, new: immutable, value: "Alwaysa", by: term.Old, update: true},
		"it can be changed again": {old: immutable, new: all},
	} {
		t.Run(name, func(t *testing.T) {
			old, newer := &release{accepts: c.old}, &release{accepts: c.new}
			results, err := TryFields(t.Context(), old.start(t), newer.start(t), []RuleTarget{plain()})
			require.NoError(t, err)
			require.Len(t, results, 1)
			assert.Empty(t, results[0].Reason)
			if c.by == "" {
				assert.Empty(t, results[0].Trials)
				return
			}
			require.Len(t, results[0].Trials, 1)
			got := results[0].Trials[0]
			assert.Equal(t, c.value, got.Value)
			assert.Equal(t, c.by, got.AcceptedBy())
			assert.Equal(t, c.update, got.Update)
			assert.Nil(t, old.stored, "nothing stays")
		})
	}
}
