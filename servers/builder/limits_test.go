package builder

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLimits(t *testing.T) {
	for text, want := range map[string]int64{"1K": 1 << 10, "500MB": 500 << 20, "20GB": 20 << 30, "20 GiB": 20 << 30, "1T": 1 << 40} {
		got, err := ParseSize(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for text, want := range map[string]time.Duration{"30d": 720 * time.Hour, "12h": 12 * time.Hour, "1h30m": 90 * time.Minute} {
		got, err := ParseAge(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}
