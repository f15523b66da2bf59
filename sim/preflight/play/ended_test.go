package play

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers"
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
			failed := make(chan struct{})
			ctx, fail := context.WithCancelCause(t.Context())
			s := &session{fail: func(err error) { fail(err); close(failed) }}
			p := mortalProcess{done: make(chan struct{}), err: c.err}
			s.watch(p)
			assert.NoError(t, ctx.Err(), "it is running")
			close(p.done)
			if c.want == nil {
				unanswered := errors.New("connection refused")
				assert.Equal(t, unanswered, s.reason(ctx, unanswered))
				return
			}
			<-failed
			assert.Equal(t, c.want, s.reason(ctx, errors.New("connection refused")))
			assert.NotEqual(t, "interrupted", ending(ctx, c.want))
		})
	}
}
