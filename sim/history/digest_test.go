package history_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
)

// TestEndWithoutDigest: whoever changes a record could leave the digest out, so an end without one is
// damage. The versions before digests wrote no intents either, and theirs are whole.
func TestEndWithoutDigest(t *testing.T) {
	text := regexp.MustCompile(`,"digest":"[0-9a-f]{32}"\}\}\n$`).ReplaceAllString(written(t), "}}\n")
	require.NotEqual(t, written(t), text)
	h, err := history.Decode(strings.NewReader(text))
	require.NoError(t, err)
	assert.Len(t, h.Damage, 1)
	assert.False(t, h.Complete())

	early := strings.Replace(text, `,"intents":true`, "", 1)
	require.NotEqual(t, text, early)
	h, err = history.Decode(strings.NewReader(early))
	require.NoError(t, err)
	assert.Empty(t, h.Damage)
	assert.True(t, h.Complete())
}
