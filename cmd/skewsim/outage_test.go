package main

import (
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/container"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
)

// TestInsistPauses: another attempt waits, longer each time, and what ends the matrix ends
// the waiting; a first attempt waits for nothing.
func TestInsistPauses(t *testing.T) {
	killed := &servers.ExitError{Name: "b-1", Status: "was killed by signal 9 (killed)", Failure: fault.ServerKilled}
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
		away  time.Duration // that nothing answers
		ctx   time.Duration // that the matrix goes on
		want  bool
		took  time.Duration
		said  []string
	}{
		"a restart":           {storeFailed("gone"), 6 * time.Second, time.Hour, true, 6 * time.Second, []string{"what is left waits, up to 5m0s, for what does not answer: " + gone.Error(), "it answers again, after 6s"}},
		"another's restart":   {&container.EngineError{Err: errors.New("gone")}, 0, time.Hour, true, 0, nil},
		"a lost server":       {&servers.ExitError{Failure: fault.ServerLost}, time.Second, time.Hour, true, time.Second, []string{"what is left waits, up to 5m0s, for what does not answer: " + gone.Error(), "it answers again, after 1s"}},
		"for good":            {storeFailed("gone"), time.Hour, time.Hour, false, outageAtMost, []string{"what is left waits, up to 5m0s, for what does not answer: " + gone.Error()}},
		"an interruption":     {storeFailed("gone"), time.Hour, 3 * time.Second, false, 3 * time.Second, []string{"what is left waits, up to 5m0s, for what does not answer: " + gone.Error()}},
		"nothing of the kind": {&servers.ExitError{Status: "was killed by signal 9", Failure: fault.ServerKilled}, time.Hour, time.Hour, true, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), c.ctx)
				defer cancel()
				began := time.Now()
				var said []string
				var o outage
				ask := func(context.Context) error {
					if time.Since(began) < c.away {
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

// forwarded is a port that hangs up on everybody until it is opened, and that leads to an
// etcd then.
func forwarded(t *testing.T) (at engine.Store, open func()) {
	t.Helper()
	server, err := etcd.Start(t.Context(), etcd.Config{Dir: filepath.Join(t.TempDir(), "etcd")})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	store := server.Store()
	var opened atomic.Bool
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			if !opened.Load() {
				from.Close()
				continue
			}
			go forward(from, strings.TrimPrefix(store.Endpoint, "https://"))
		}
	}()
	at = engine.Store{Etcd: []string{"https://" + listener.Addr().String()}, CAFile: store.CAFile, CertFile: store.CertFile, KeyFile: store.KeyFile}
	return at, func() { opened.Store(true) }
}

func forward(from net.Conn, at string) {
	defer from.Close()
	to, err := net.Dial("tcp", at)
	if err != nil {
		return
	}
	defer to.Close()
	go func() { _, _ = io.Copy(to, from) }()
	_, _ = io.Copy(from, to)
}

// TestInsistOutage: nothing is played, neither another attempt nor what comes next, until
// the etcd of --etcd answers again, which is told; what needs none goes on.
func TestInsistOutage(t *testing.T) {
	at, open := forwarded(t)
	away, here := company{{Run: engine.Run{Request: engine.Request{Store: at}}}}, make(company, 1)
	ctx, cancel := context.WithCancel(t.Context())
	said := &onText{text: "what is left waits", do: cancel}
	a := &app{out: io.Discard, err: said, retries: 1}
	played := 0
	play := func(context.Context, company, []string) []error { played++; return []error{storeFailed("gone")} }
	a.insist(ctx, away, play)
	assert.Equal(t, 1, played, "the etcd does not answer")
	assert.Contains(t, said.said.String(), at.Etcd[0])
	a.insist(t.Context(), here, play)
	assert.Equal(t, 3, played, "there is no etcd that it could wait for")

	a.outage.suspect(storeFailed("gone"))
	said = &onText{text: "what is left waits", do: open}
	a.err = said
	answers := ""
	a.insist(t.Context(), away, func(context.Context, company, []string) []error {
		answers = said.said.String()
		return []error{nil}
	})
	assert.Regexp(t, `(?s)what is left waits, .*it answers again, after `, answers)
}
