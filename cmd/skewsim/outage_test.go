package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/container"
)

// TestInsistPauses: another attempt waits, longer each time, and what ends the matrix ends
// the waiting; a first attempt waits for nothing.
func TestInsistPauses(t *testing.T) {
	killed := &servers.ExitError{Name: "b-1", Status: "was killed by signal 9 (killed)"}
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var at []time.Duration
		(&app{retries: 4}).insist(t.Context(), make(company, 1), func(context.Context, company, []string) []error {
			at = append(at, time.Since(began))
			return []error{killed}
		})
		assert.Equal(t, []time.Duration{0, time.Second, 6 * time.Second, 36 * time.Second, 66 * time.Second}, at)
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		began := time.Now()
		all := (&app{retries: 4}).insist(ctx, make(company, 1), func(context.Context, company, []string) []error { return []error{killed} })
		assert.Len(t, all[0].attempts, 2)
		assert.Equal(t, 3*time.Second, time.Since(began))
	})
}

// TestOutage: what was lost is asked for until it answers, which is told, or it is given up;
// where nothing was lost nobody is asked.
func TestOutage(t *testing.T) {
	gone := errors.New("etcd at http://127.0.0.1:1: connection refused")
	for name, c := range map[string]struct {
		ended error
		for_  time.Duration // that nothing answers
		ctx   time.Duration // that the matrix goes on
		want  bool
		took  time.Duration
		said  []string
	}{
		"a restart":           {storeFailed("gone"), 6 * time.Second, time.Hour, true, 6 * time.Second, []string{"what is left waits, up to 5m0s, for what does not answer: " + gone.Error(), "it answers again, after 6s"}},
		"another's restart":   {&container.EngineError{Err: errors.New("gone")}, 0, time.Hour, true, 0, nil},
		"a lost server":       {&servers.ExitError{Lost: true}, time.Second, time.Hour, true, time.Second, []string{"what is left waits, up to 5m0s, for what does not answer: " + gone.Error(), "it answers again, after 1s"}},
		"for good":            {storeFailed("gone"), time.Hour, time.Hour, false, outageAtMost, []string{"what is left waits, up to 5m0s, for what does not answer: " + gone.Error()}},
		"an interruption":     {storeFailed("gone"), time.Hour, 3 * time.Second, false, 3 * time.Second, []string{"what is left waits, up to 5m0s, for what does not answer: " + gone.Error()}},
		"nothing of the kind": {&servers.ExitError{Status: "was killed by signal 9"}, time.Hour, time.Hour, true, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), c.ctx)
				defer cancel()
				began := time.Now()
				var said []string
				var o outage
				ask := func(context.Context) error {
					if time.Since(began) < c.for_ {
						return gone
					}
					return nil
				}
				o.suspect(c.ended)
				say := func(text string) { said = append(said, text) }
				assert.Equal(t, c.want, o.wait(ctx, ask, say))
				assert.Equal(t, c.took, time.Since(began))
				assert.Equal(t, c.said, said)
				took := time.Since(began)
				assert.Equal(t, c.want, o.wait(t.Context(), ask, say) && c.ctx == time.Hour, "what was given up is asked for once more, and what is there not at all")
				if c.ctx == time.Hour {
					assert.Equal(t, took, time.Since(began))
				}
			})
		})
	}
}

// TestInsistOutage: an attempt begins when the etcd listens again, however soon it might
// have, and so does the first attempt of what comes after; those that need none go on.
func TestInsistOutage(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	at := taken.Addr().String()
	require.NoError(t, taken.Close())
	away, here := task{flags: runFlags{store: storeFlags{etcd: []string{"http://" + at}}}}, task{}
	var said bytes.Buffer
	a := &app{out: io.Discard, err: &said, retries: 1}
	ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
	defer cancel()
	play := func(context.Context, company, []string) []error { return []error{storeFailed("gone")} }
	all := a.insist(ctx, company{away}, play)
	assert.Len(t, all[0].attempts, 1, "the etcd does not listen")
	assert.Contains(t, said.String(), "skewsim: what is left waits, up to 5m0s, for what does not answer: --etcd: etcd at http://"+at)
	all = a.insist(t.Context(), company{here}, play)
	assert.Len(t, all[0].attempts, 2)
}
