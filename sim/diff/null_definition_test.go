package diff

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/published"
)

// TestNullDefinition: a document with a type that is null is damaged, and does not say that the type is gone; an
// empty type is one.
func TestNullDefinition(t *testing.T) {
	read := func(schemas string) error {
		_, err := rawDefinitions(published.Release{Name: "old", Documents: map[string][]byte{"v1": []byte(`{"components":{"schemas":` + schemas + `}}`)}})
		return err
	}
	require.Error(t, read(`{"A":null,"B":{}}`))
	assert.Contains(t, read(`{"A": null}`).Error(), `"A"`)
	assert.NoError(t, read(`{"A":{},"B":{"default":null}}`))
}
