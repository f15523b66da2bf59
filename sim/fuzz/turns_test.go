package fuzz

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
)

// TestTurns: every request finds its release's manifests installed, however many journeys
// ask both in turn; and the turns are few, since journeys wait for each other.
func TestTurns(t *testing.T) {
	var installed atomic.Value
	installed.Store(term.New)
	passed := 0
	turns := NewTurns(term.New, func(_ context.Context, role term.Role) error {
		passed++
		installed.Store(role)
		return nil
	})
	const journeys, legs = 20, 6
	var group sync.WaitGroup
	wrong := atomic.Int32{}
	for range journeys {
		turns.Travel(1)
	}
	for range journeys {
		group.Go(func() {
			defer turns.Travel(-1)
			for i := range legs {
				role := []term.Role{term.Old, term.New}[i%2]
				if turns.enter(t.Context(), role) != nil || installed.Load() != role {
					wrong.Add(1)
				}
				turns.leave()
			}
		})
	}
	group.Wait()
	assert.Zero(t, wrong.Load())
	assert.LessOrEqual(t, passed, legs)
	require.NoError(t, turns.enter(t.Context(), term.Old), "nobody travels any more: an object is made smaller")
	turns.leave()
}

// TestTurnsEnd: a turn that cannot pass ends all that wait for it, and so does the end of
// the run; releases that share nothing take no turns.
func TestTurnsEnd(t *testing.T) {
	turns := NewTurns(term.New, func(context.Context, term.Role) error { return assert.AnError })
	assert.ErrorIs(t, turns.enter(t.Context(), term.Old), assert.AnError)

	waits := NewTurns(term.New, nil)
	waits.Travel(2)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, waits.enter(ctx, term.Old), context.Canceled)

	var none *turnstile
	assert.NoError(t, none.enter(t.Context(), term.Old))
	none.leave()
	none.Travel(1)
}

// turnstile is turns, whose name a variable of the test has.
type turnstile = Turns

// installing is a server whose manifests can be installed again.
type installing struct {
	servers.Process
	code int
	err  error
}

func (p installing) Reinstall(context.Context) ([]servers.Installed, error) {
	return []servers.Installed{{Name: "gadgets.example.dev", Code: p.code}}, p.err
}

// TestReinstall: a manifest that a server refuses instead of the other's ends the run; one
// that it accepts does not.
func TestReinstall(t *testing.T) {
	var request *servers.RequestError
	assert.ErrorAs(t, (&Release{Process: installing{code: 422}}).Reinstall(t.Context()), &request)
	assert.NoError(t, (&Release{Process: installing{code: 200}}).Reinstall(t.Context()))
	lost := errors.New("lost")
	assert.ErrorIs(t, (&Release{Process: installing{err: lost}}).Reinstall(t.Context()), lost)
}
