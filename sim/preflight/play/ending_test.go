package play

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
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
	lost, lose := context.WithCancelCause(t.Context())
	lose(failed)
	assert.Equal(t, failed.Error(), ending(lost, failed), "a store failed")
	late, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	<-late.Done()
	assert.Equal(t, failed.Error(), ending(late, failed))
	assert.Equal(t, failed.Error(), ending(t.Context(), failed))
}

// TestOfRelease: a server that ends by itself, or is not ready in time, says something about its release; one that
// was killed, or that found the disk full, does not.
func TestOfRelease(t *testing.T) {
	for failure, want := range map[fault.Failure]bool{fault.None: true, fault.ServerTooSlow: true, fault.ServerKilled: false, fault.DiskFull: false, fault.MemoryShort: false, fault.PortTaken: false} {
		assert.Equal(t, want, ofRelease(fmt.Errorf("start: %w", &servers.ExitError{Failure: failure})), failure)
	}
	assert.True(t, ofRelease(&servers.LateError{Err: errors.New("late")}))
	assert.False(t, ofRelease(errors.New("no such file")))
}
