package session

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/engine"
)

// TestEnding: an interruption is one whatever its consequences are called, a timeout says how much
// time there was, and another error is in its own words.
func TestEnding(t *testing.T) {
	interrupted, stop := context.WithCancel(t.Context())
	stop()
	broken := errors.New("connection refused")
	assert.Empty(t, ending(interrupted, nil, time.Minute), "the sweep was over")
	assert.Equal(t, ending(interrupted, context.Canceled, time.Minute), ending(interrupted, broken, time.Minute))
	assert.NotContains(t, ending(interrupted, fmt.Errorf("list: %w", context.Canceled), time.Minute), "context")
	assert.Contains(t, ending(t.Context(), errors.Join(engine.TimeoutError{}, broken), time.Minute), "1m0s")
	assert.Equal(t, broken.Error(), ending(t.Context(), broken, time.Minute))
}
