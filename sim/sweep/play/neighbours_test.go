package play

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/objects/try"
)

// TestSuits: the change beside a value leaves it as it is, and is one that no release refuses for itself.
func TestSuits(t *testing.T) {
	beside, whole := map[string]any{".spec.name": "other"}, map[string]any{".spec": map[string]any{}}
	refusal := try.Reply{Refusal: `spec.words: Invalid value: 0: spec.words in body should have at least 1 items`}
	itself := try.Reply{Refusal: `spec.name: Invalid value: "other": spec.name in body should match '^a$'`}
	for name, c := range map[string]struct {
		change      map[string]any
		own, theirs try.Reply
		refused     bool
		want        bool
	}{
		"the value stays refused":         {beside, try.Reply{}, refusal, true, true},
		"it heals the object":             {beside, try.Reply{}, try.Reply{}, true, false},
		"nobody refuses either":           {beside, try.Reply{}, try.Reply{}, false, true},
		"its own release refuses it":      {beside, itself, refusal, true, false},
		"the other release refuses it":    {beside, try.Reply{}, itself, true, false},
		"of what holds the value":         {whole, try.Reply{}, try.Reply{Refusal: "spec: Invalid value"}, true, true},
		"of what holds it, and heals":     {whole, try.Reply{}, try.Reply{}, true, false},
		"of what holds it, never refused": {whole, try.Reply{}, try.Reply{}, false, true},
	} {
		assert.Equal(t, c.want, suits(c.change, ".spec.words", c.own, c.theirs, c.refused), name)
	}
}
