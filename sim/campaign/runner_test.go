package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/container"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/run"
)

func endedBy(err error) engine.Outcome { return engine.Outcome{Err: err} }

var (
	passed = engine.Outcome{Verdict: term.Pass}
	failed = engine.Outcome{Verdict: term.Fail}
)

func cells(n int) (g Group) {
	for range n {
		g = append(g, &Cell{})
	}
	return g
}

// storeFailed is the outcome of a run whose store failed.
func storeFailed(why string) error {
	return fmt.Errorf("store: watch: the store has ended: %w", &etcd.FailedError{Err: errors.New(why)})
}

// TestWithRetries: a run that an infrastructure failure ended is executed again, as often
// as allowed; a judged run is not. Retries of a group leave out its finished cells.
func TestWithRetries(t *testing.T) {
	killed := &servers.ExitError{Name: "b-1", Status: "was killed by signal 9 (killed)", Failure: fault.ServerKilled}
	late := &servers.LateError{Err: errors.New("server a-1: not ready after 1m0s")}
	for name, c := range map[string]struct {
		retries int
		came    [][]engine.Outcome // by attempt
		want    []int              // attempts
		final   []matrix.Outcome
	}{
		"all is judged":     {2, [][]engine.Outcome{{passed, failed}}, []int{1, 1}, []matrix.Outcome{"pass", "FAIL"}},
		"one is left":       {2, [][]engine.Outcome{{failed, endedBy(killed)}, {passed}}, []int{1, 2}, []matrix.Outcome{"FAIL", "pass"}},
		"a failure at last": {2, [][]engine.Outcome{{endedBy(killed), passed}, {endedBy(killed)}, {failed}}, []int{3, 1}, []matrix.Outcome{"FAIL", "pass"}},
		"often enough":      {1, [][]engine.Outcome{{endedBy(killed), passed}, {endedBy(killed)}}, []int{2, 1}, []matrix.Outcome{"unknown", "pass"}},
		"nothing passes":    {2, [][]engine.Outcome{{endedBy(fault.With(fault.Fault{Final: true}, killed)), endedBy(&servers.ChangedError{})}}, []int{1, 1}, []matrix.Outcome{"unknown", "unknown"}},
		"a slow start":      {0, [][]engine.Outcome{{endedBy(late), endedBy(killed)}, {passed}}, []int{2, 1}, []matrix.Outcome{"pass", "unknown"}},
		"slow starts":       {0, [][]engine.Outcome{{endedBy(late), passed}, {endedBy(late)}}, []int{2, 1}, []matrix.Outcome{"unknown", "pass"}},
		"never again":       {0, [][]engine.Outcome{{endedBy(killed), endedBy(killed)}}, []int{1, 1}, []matrix.Outcome{"unknown", "unknown"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // pauses take no real time
				round := 0
				all := (&Runner{Retries: c.retries}).withRetries(t.Context(), cells(2), func(_ context.Context, some Group, before []string) []engine.Outcome {
					came := c.came[round]
					assert.Len(t, some, len(came))
					for _, note := range before {
						assert.Equal(t, round > 0, note != "")
					}
					round++
					return came
				})
				assert.Equal(t, len(c.came), round)
				for i, e := range all {
					e.Begun = true
					assert.Len(t, e.Attempts, c.want[i])
					assert.Equal(t, c.final[i], e.Word())
				}
			})
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	all := (&Runner{Retries: 5}).withRetries(ctx, cells(1), func(context.Context, Group, []string) []engine.Outcome {
		cancel()
		return []engine.Outcome{endedBy(killed)}
	})
	assert.Len(t, all[0].Attempts, 1, "nothing begins after an interruption")
}

// TestRetryPauses: another attempt waits, longer each time, and the end of the matrix ends
// the waiting; a first attempt does not wait.
func TestRetryPauses(t *testing.T) {
	killed := &servers.ExitError{Name: "b-1", Status: "was killed by signal 9 (killed)", Failure: fault.ServerKilled}
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var at []time.Duration
		(&Runner{Retries: 4}).withRetries(t.Context(), cells(1), func(context.Context, Group, []string) []engine.Outcome {
			at = append(at, time.Since(began))
			return []engine.Outcome{endedBy(killed)}
		})
		assert.Equal(t, []time.Duration{0, time.Second, 6 * time.Second, 36 * time.Second, 66 * time.Second}, at)
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		began := time.Now()
		all := (&Runner{Retries: 4}).withRetries(ctx, cells(1), func(context.Context, Group, []string) []engine.Outcome { return []engine.Outcome{endedBy(killed)} })
		assert.Len(t, all[0].Attempts, 2)
		assert.Equal(t, 3*time.Second, time.Since(began))
	})
}

// TestOutage: the runner waits for a lost service until it answers, which it reports, or
// gives up; without a loss it asks nothing.
func TestOutage(t *testing.T) {
	gone := errors.New("etcd at http://127.0.0.1:1: connection refused")
	for name, c := range map[string]struct {
		ended error
		away  time.Duration // how long nothing answers
		ctx   time.Duration // how long the matrix continues
		want  bool
		took  time.Duration
		said  []string
	}{
		"a restart":           {storeFailed("gone"), 6 * time.Second, time.Hour, true, 6 * time.Second, []string{"waiting up to 5m0s for a service that does not answer: " + gone.Error(), "the service answers again, after 6s"}},
		"another's restart":   {&container.EngineError{Err: errors.New("gone")}, 0, time.Hour, true, 0, nil},
		"a lost server":       {&servers.ExitError{Failure: fault.ServerLost}, time.Second, time.Hour, true, time.Second, []string{"waiting up to 5m0s for a service that does not answer: " + gone.Error(), "the service answers again, after 1s"}},
		"for good":            {storeFailed("gone"), time.Hour, time.Hour, false, outageAtMost, []string{"waiting up to 5m0s for a service that does not answer: " + gone.Error()}},
		"an interruption":     {storeFailed("gone"), time.Hour, 3 * time.Second, false, 3 * time.Second, []string{"waiting up to 5m0s for a service that does not answer: " + gone.Error()}},
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

// forwarded is a port that closes every connection until it is opened, and then leads to an
// etcd.
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

// onText calls a function when it receives a text.
type onText struct {
	text, said string
	do         func()
}

func (o *onText) warn(text string) {
	o.said += text + "\n"
	if strings.Contains(text, o.text) {
		o.do()
	}
}

// TestRetryOutage: no attempt and no other cell begins until the etcd of --etcd answers
// again, which is reported; cells that do not need it continue.
func TestRetryOutage(t *testing.T) {
	at, open := forwarded(t)
	away, here := Group{{Run: engine.Run{Request: engine.Request{Store: at}}}}, cells(1)
	ctx, cancel := context.WithCancel(t.Context())
	said := &onText{text: "waiting up to", do: cancel}
	runner := &Runner{Retries: 1, Warn: said.warn, Available: func(ctx context.Context, at engine.Store) error { return engine.Reachable(ctx, nil, at) }}
	played := 0
	play := func(context.Context, Group, []string) []engine.Outcome {
		played++
		return []engine.Outcome{endedBy(storeFailed("gone"))}
	}
	runner.withRetries(ctx, away, play)
	assert.Equal(t, 1, played, "the etcd does not answer")
	assert.Contains(t, said.said, at.Etcd[0])
	runner.withRetries(t.Context(), here, play)
	assert.Equal(t, 3, played, "there is no etcd that it could wait for")

	runner.outage.suspect(storeFailed("gone"))
	said = &onText{text: "waiting up to", do: open}
	runner.Warn = said.warn
	answers := ""
	runner.withRetries(t.Context(), away, func(context.Context, Group, []string) []engine.Outcome {
		answers = said.said
		return []engine.Outcome{passed}
	})
	assert.Regexp(t, `(?s)waiting up to .*the service answers again, after `, answers)
}

// TestTriesAlone: runs that an infrastructure failure ended are executed no more often than
// --retries allows; without the flag they are executed once more alone, as runs that were
// judged always are.
func TestTriesAlone(t *testing.T) {
	killed := endedBy(&servers.ExitError{Name: "b-1", Status: "was killed by signal 9 (killed)", Failure: fault.ServerKilled})
	for _, retries := range []int{0, 2} {
		counted := &Runner{Retries: retries, Counted: true}
		assert.False(t, counted.triesAlone(t.Context(), killed))
		assert.True(t, counted.triesAlone(t.Context(), failed))
		assert.True(t, counted.triesAlone(t.Context(), endedBy(errors.New("an odd end"))))
		assert.False(t, counted.triesAlone(t.Context(), passed))
	}
	assert.True(t, (&Runner{}).triesAlone(t.Context(), killed))
	assert.True(t, (&Runner{}).triesAlone(t.Context(), failed))
}

// TestAgain: an outcome that the other scenarios may have caused is tried alone; a mistake
// in the file, and an interruption, are not.
func TestAgain(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		err  engine.Outcome
		want bool
	}{
		{t.Context(), passed, false},
		{t.Context(), failed, true},
		{t.Context(), engine.Outcome{Verdict: term.Unknown}, true},
		{t.Context(), endedBy(errors.New("server b ended by itself")), true},
		{t.Context(), engine.Outcome{Verdict: term.Unknown, Err: &run.RefusedError{}}, true},
		{t.Context(), endedBy(&run.KindError{}), false},
		{t.Context(), endedBy(fault.ByUser(errors.New("no such release"))), false},
		{ended, engine.Outcome{Verdict: term.Unknown}, false},
	} {
		assert.Equal(t, c.want, again(c.ctx, c.err), "%#v", c.err)
	}
}

// TestKeep: the transcript is kept in a directory that belongs to the run, also of a run
// that was refused; files in any other directory are those of another run.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	refused := fault.ByUser(errors.New("v1.1.0 refused x.yaml with 422"))
	assert.Equal(t, refused, keep(engine.Outcome{Err: refused}, bytes.NewBufferString("said")).Err)
	assert.NoFileExists(t, filepath.Join(dir, Transcript))
	assert.ErrorIs(t, keep(engine.Outcome{Err: refused, Dir: dir}, bytes.NewBufferString("said")).Err, refused)
	assert.FileExists(t, filepath.Join(dir, Transcript))
}
