package session

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestEnding: of an interrupted preflight, the interruption is the reason why it ended, whatever failed because of
// it; of others, it is what failed.
func TestEnding(t *testing.T) {
	failed := errors.New("a request failed")
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	assert.Equal(t, "interrupted", ending(interrupted, failed))
	assert.Equal(t, "interrupted", ending(interrupted, interrupted.Err()))
	assert.Empty(t, ending(interrupted, nil), "it was played to its end")
	late, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	<-late.Done()
	assert.Equal(t, failed.Error(), ending(late, failed))
	assert.Equal(t, failed.Error(), ending(t.Context(), failed))
}
