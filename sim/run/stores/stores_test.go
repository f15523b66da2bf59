package stores

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
)

// silentStore follows a store that does not answer.
type silentStore struct {
	Follower
	err error
}

func (s silentStore) Sync(ctx context.Context) error { return cmp.Or(context.Cause(ctx), s.err) }

// TestSyncFails: a store that does not answer counts as one that has ended, unless the run
// was interrupted meanwhile.
func TestSyncFails(t *testing.T) {
	err := errors.New("store: watch: current revision: keepalive ping failed")
	s := &Stores{changes: silentStore{err: err}}
	var lost *Error
	require.ErrorAs(t, s.Sync(t.Context()), &lost)
	assert.ErrorIs(t, lost, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.Equal(t, context.Canceled, s.Sync(ctx))
}

// TestOwnEnd: a follower that ends with the run says nothing about the store; one that ends
// by itself does, also if the run ends meanwhile.
func TestOwnEnd(t *testing.T) {
	ctx, end := context.WithCancelCause(t.Context())
	lost := errors.New("store: watch: closed by the client")
	assert.Equal(t, lost, ownEnd(ctx, lost))
	dead := &servers.ExitError{Name: "a-1", Status: "was killed by signal 9 (killed)", Failure: fault.ServerKilled}
	end(dead)
	assert.NoError(t, ownEnd(ctx, fmt.Errorf("store: watch: %w", dead)))
	assert.Equal(t, lost, ownEnd(ctx, lost))
}
