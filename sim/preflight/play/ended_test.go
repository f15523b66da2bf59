package play

import (
	"cmp"
	"context"
	"errors"
	"testing"
	"testing/synctest"

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
