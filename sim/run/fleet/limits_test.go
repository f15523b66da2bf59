package fleet

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPause: a pause ends when the run is given up.
func TestPause(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	require.NoError(t, Pause(ctx, time.Millisecond))
	cancel()
	assert.ErrorIs(t, Pause(ctx, time.Hour), context.Canceled)
}
