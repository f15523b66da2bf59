package diff_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestRequiredKey: a schema may require a key of a map, or a member of an object whose unknown fields are kept.
func TestRequiredKey(t *testing.T) {
	for _, kind := range []string{`"additionalProperties":{"type":"string"}`, `"x-kubernetes-preserve-unknown-fields":true`, `"x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true`} {
		plain, requires := widget(`"a":{"type":"object",`+kind+`}`, ""), widget(`"a":{"type":"object",`+kind+`,"required":["k"]}`, "")
		assert.Equal(t, []string{"required-added .a.k [] [required]"}, differences(t, plain, requires), kind)
		assert.Equal(t, []string{"required-removed .a.k [required] []"}, differences(t, requires, plain), kind)
		assert.Empty(t, differences(t, requires, requires), kind)
	}
	assert.Equal(t, []string{"field-removed .a.k [string] []"}, differences(t,
		widget(`"a":{"type":"object","properties":{"k":{"type":"string"},"l":{"type":"string"}},"required":["k"]}`, ""),
		widget(`"a":{"type":"object","properties":{"l":{"type":"string"}}}`, "")), "a field that is gone is no longer required")
}
