package session

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/published"
)

// TestServes: a kind that one release has may be without a difference; one that neither has is an
// error, which names those that exist.
func TestServes(t *testing.T) {
	old := published.Release{Resources: []published.Resource{{APIVersion: "example.com/v1", Kind: "Widget"}}}
	new := published.Release{Resources: []published.Resource{{APIVersion: "example.com/v1", Kind: "Gadget"}}}
	for _, known := range [][]string{nil, {"Widget"}, {"Gadget.example.com", "Widget"}} {
		assert.NoError(t, serves(diff.Filter{Kinds: known}, old, new), "%v", known)
	}
	assert.ErrorContains(t, serves(diff.Filter{Kinds: []string{"Widget", "Nope"}}, old, new), "Nope")
	assert.ErrorContains(t, serves(diff.Filter{Kinds: []string{"Widget.other.com"}}, old, new), "Widget")
}
