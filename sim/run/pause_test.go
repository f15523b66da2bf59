package run

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPause: nobody waits once the run is given up.
func TestPause(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	require.NoError(t, pause(ctx, time.Millisecond))
	cancel()
	assert.ErrorIs(t, pause(ctx, time.Hour), context.Canceled)
}
