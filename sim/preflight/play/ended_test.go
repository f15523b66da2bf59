package play

import (
	"cmp"
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/preflight"
)

// mortalProcess is a process whose end a test decides.
type mortalProcess struct {
	servers.Process
	done chan struct{}
	err  error
}

func (p mortalProcess) Done() <-chan struct{} { return p.done }
func (p mortalProcess) Err() error            { return p.err }

// TestServerThatEnds: a server that ends by itself ends the preflight, and is the reason; one that was stopped
// does not.
func TestServerThatEnds(t *testing.T) {
	killed := &servers.ExitError{Name: "a", Status: "was killed by signal 9 (killed)", Ready: true}
	for name, c := range map[string]struct{ err, want error }{
		"killed":  {killed, killed},
		"stopped": {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, fail := context.WithCancelCause(t.Context())
				s := &session{fail: fail}
				p := mortalProcess{done: make(chan struct{}), err: c.err}
				s.watch(p)
				synctest.Wait()
				assert.NoError(t, ctx.Err(), "it is running")
				close(p.done)
				synctest.Wait()
				unanswered := errors.New("connection refused")
				assert.Equal(t, cmp.Or(c.want, unanswered), s.reason(ctx, unanswered))
				assert.NotEqual(t, "interrupted", ending(ctx, c.want))
			})
		})
	}
}

// TestReportSoFar: after a hop that others follow, the files have what was found, and say that there is more to play.
func TestReportSoFar(t *testing.T) {
	var reported []preflight.Result
	hop := preflight.Hop{From: preflight.Build{Version: "v1.35.4"}, To: preflight.Build{Version: "v1.36.3"}, Findings: []preflight.Finding{{Outcome: term.Frozen, Direction: preflight.Back, Kind: "A", Name: "a"}}}
	for _, phase := range preflight.Phases() {
		hop.Phases = append(hop.Phases, preflight.Phase{Name: phase})
	}
	s := &session{reportsIn: "out", result: preflight.Result{Hops: []preflight.Hop{hop}}, Host: Host{Report: func(dir string, r preflight.Result) error {
		assert.Equal(t, "out", dir)
		reported = append(reported, r)
		return nil
	}}}
	require.NoError(t, s.reportSoFar())
	require.Len(t, reported, 1)
	assert.True(t, reported[0].Unplayed(preflight.Up), "no reader takes it for the whole")
	assert.Len(t, reported[0].Failing(preflight.Back), 1)
	assert.True(t, reported[0].Hops[0].Played(preflight.Back), "this hop was")
	assert.Empty(t, s.result.Ended)
}
