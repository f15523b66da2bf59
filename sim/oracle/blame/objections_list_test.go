package blame

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestShowsList: a refusal that repeats a list as Go writes it shows the list, and no list with another element.
func TestShowsList(t *testing.T) {
	o := Objection{Name: "spec.scopes", Reason: "FieldValueInvalid", Message: `Invalid value: []core.ResourceQuotaScope{"VolumeAttributesClass"}: unsupported scope`}
	assert.False(t, o.FoundNothing(), "its type begins as an empty list in JSON does")
	assert.True(t, Objection{"spec.scopes", "FieldValueInvalid", "Invalid value: []: must be set"}.FoundNothing())
	assert.True(t, o.Shows([]any{"VolumeAttributesClass"}))
	assert.False(t, o.Shows([]any{"VolumeAttributesClass", "Terminating"}))
	assert.False(t, o.Shows([]any{"Volume"}))
	assert.False(t, o.Shows([]any{}))
}
