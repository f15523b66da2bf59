package session

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/exercise"
)

// TestSuits: the change beside a value leaves it as it is, and is one that no release refuses for itself.
func TestSuits(t *testing.T) {
	beside, whole := map[string]any{".spec.name": "other"}, map[string]any{".spec": map[string]any{}}
	refusal := exercise.Reply{Refusal: `spec.words: Invalid value: 0: spec.words in body should have at least 1 items`}
	itself := exercise.Reply{Refusal: `spec.name: Invalid value: "other": spec.name in body should match '^a$'`}
	for name, c := range map[string]struct {
		change      map[string]any
		own, theirs exercise.Reply
		refused     bool
		want        bool
	}{
		"the value stays refused":         {beside, exercise.Reply{}, refusal, true, true},
		"it heals the object":             {beside, exercise.Reply{}, exercise.Reply{}, true, false},
		"nobody refuses either":           {beside, exercise.Reply{}, exercise.Reply{}, false, true},
		"its own release refuses it":      {beside, itself, refusal, true, false},
		"the other release refuses it":    {beside, exercise.Reply{}, itself, true, false},
		"of what holds the value":         {whole, exercise.Reply{}, exercise.Reply{Refusal: "spec: Invalid value"}, true, true},
		"of what holds it, and heals":     {whole, exercise.Reply{}, exercise.Reply{}, true, false},
		"of what holds it, never refused": {whole, exercise.Reply{}, exercise.Reply{}, false, true},
	} {
		assert.Equal(t, c.want, suits(c.change, ".spec.words", c.own, c.theirs, c.refused), name)
	}
}
