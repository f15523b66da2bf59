package builder

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers"
)

// TestEveryScheme fails for a scheme that package servers parses and this package does not build,
// and for a row with a gap.
func TestEveryScheme(t *testing.T) {
	assert.ElementsMatch(t, servers.Schemes(), slices.Collect(maps.Keys(kinds())), "schemes with a row in servers, schemes with a row here")
	for scheme, of := range kinds() {
		assert.True(t, of.build != nil && of.isBuilt != nil && of.source != nil && of.examples != nil, "%s: a gap in its row", scheme)
	}
}

// TestUnknownScheme: what has no row is neither built nor said to be built.
func TestUnknownScheme(t *testing.T) {
	b, ref := New(Config{}), servers.Reference{Scheme: "unheard-of", Path: "x"}
	_, err := b.Build(t.Context(), ref)
	assert.ErrorContains(t, err, "unheard-of")
	assert.False(t, b.IsBuilt(t.Context(), ref))
}
