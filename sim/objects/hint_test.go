package objects

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestHintFits: a hint is for its field alone, or for every field of its kind; one that names
// nothing is for nothing.
func TestHintFits(t *testing.T) {
	for name, c := range map[string]struct {
		hint Hint
		want bool
	}{
		"the field":       {Hint{APIVersion: "a/v1", Kind: "Gadget", Path: ".spec.x"}, true},
		"any version":     {Hint{Kind: "Gadget", Path: ".spec.x"}, true},
		"any kind":        {Hint{Path: ".spec.x"}, true},
		"the kind":        {Hint{Kind: "Gadget"}, true},
		"another version": {Hint{APIVersion: "a/v2", Kind: "Gadget", Path: ".spec.x"}, false},
		"another kind":    {Hint{Kind: "Widget"}, false},
		"another field":   {Hint{Kind: "Gadget", Path: ".spec.y"}, false},
		"nothing":         {Hint{}, false},
	} {
		assert.Equal(t, c.want, c.hint.Fits("a/v1", "Gadget", ".spec.x"), name)
	}
}
