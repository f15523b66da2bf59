package apiserver

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers"
)

// idle is a child that does nothing until it is ended. It is no process.
type idle struct {
	log  string
	once sync.Once
	done chan struct{}
}

func (c *idle) Done() <-chan struct{}      { return c.done }
func (c *idle) Err() error                 { return nil }
func (c *idle) Status() string             { return "is running" }
func (c *idle) Killed() bool               { return false }
func (c *idle) LogPath() string            { return c.log }
func (c *idle) Stop(context.Context) error { c.Kill(); return nil }
func (c *idle) Kill()                      { c.once.Do(func() { close(c.done) }) }

// inProcess answers requests by a handler, without a network.
type inProcess struct{ http.Handler }

func (h inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, r)
	return recorder.Result(), nil
}

// pretend gives a server without a process whose answers are the handler's. It opens no
// connection, so tests run it on a fake clock.
func pretend(t *testing.T, handler http.HandlerFunc) *server {
	t.Helper()
	held, err := reserve(0)
	if err != nil {
		t.Fatal(err)
	}
	s := &server{
		name: "a", build: servers.Build{Reference: "path:x", Version: "v1.36.3"}, port: held,
		child:  &idle{log: filepath.Join(t.TempDir(), "a.log"), done: make(chan struct{})},
		client: &http.Client{Transport: inProcess{handler}}, endpoint: servers.Endpoint{URL: "https://127.0.0.1", Token: "secret"},
		began: time.Now(), done: make(chan struct{}),
	}
	go s.mourn()
	t.Cleanup(s.Kill)
	return s
}

func answers(ready int, readyBody, version string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, "who are you", http.StatusUnauthorized)
			return
		}
		if r.URL.Path == "/version" {
			_, _ = io.WriteString(w, version)
			return
		}
		w.WriteHeader(ready)
		_, _ = io.WriteString(w, readyBody)
	}
}

func TestAwaitReady(t *testing.T) {
	const within = 300 * time.Millisecond
	const unready = "[+]ping ok\n[-]etcd failed: reason withheld\n[+]log ok\n[-]informer-sync failed: reason withheld\nreadyz check failed\n"
	for _, c := range []struct {
		name, want string
		late       bool
		handler    http.HandlerFunc
	}{
		{"ready", "", false, answers(200, "ok", `{"gitVersion":"v1.36.3"}`)},
		{"checks fail", "server a (path:x): not ready after 300ms: /readyz answered 500: " +
			"[-]etcd failed: reason withheld, [-]informer-sync failed: reason withheld; log: LOG", true, answers(500, unready, "")},
		{"answers something else", "server a (path:x): not ready after 300ms: /readyz answered 404: no such page; log: LOG", true, answers(404, "no such page\n", "")},
		{"another release", `server a (path:x): /version says "v1.37.0", the build "v1.36.3"`, false, answers(200, "ok", `{"gitVersion":"v1.37.0"}`)},
		{"no release", `server a (path:x): /version answered 200: "hello"`, false, answers(200, "ok", "hello")},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := pretend(t, c.handler)
				err := s.awaitReady(t.Context(), within, nil)
				if c.want == "" {
					assert.NoError(t, err)
					assert.Equal(t, pollEvery, s.ReadyAfter())
					return
				}
				assert.EqualError(t, err, strings.ReplaceAll(c.want, "LOG", s.LogPath()))
				assert.Zero(t, s.ReadyAfter())
				var late *servers.LateError
				assert.Equal(t, c.late, errors.As(err, &late))
				assert.Equal(t, c.late, time.Since(s.began) == within, "it is given all its time, and no more")
			})
		})
	}
}

// A server that is killed while somebody waits for it is not taken for ready.
func TestKilledWhileAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := pretend(t, answers(500, "", ""))
		time.AfterFunc(time.Second, s.Kill)
		assert.EqualError(t, s.awaitReady(t.Context(), time.Minute, nil), "server a (path:x): start: the runtime was closed")
		assert.Equal(t, time.Second, time.Since(s.began))
	})
}

// TestStarved: time in which tasks wait for a CPU is not the server's, up to a limit; on a machine at rest a
// server has its own time alone.
func TestStarved(t *testing.T) {
	for share, want := range map[int]time.Duration{0: time.Minute, 50: 2 * time.Minute, 100: 5 * time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			s := pretend(t, answers(500, "", ""))
			s.waited = func() time.Duration { return time.Since(s.began) * time.Duration(share) / 100 }
			var late *servers.LateError
			assert.ErrorAs(t, s.awaitReady(t.Context(), time.Minute, nil), &late)
			assert.InDelta(t, want, time.Since(s.began), float64(time.Second), share)
		})
	}
}

// TestPolled: a server that waits only for a hook whose work is done is ready; one that waits for something else
// too, or whose hook has work to do, is not.
func TestPolled(t *testing.T) {
	const hook = "poststarthook/make-classes"
	for name, c := range map[string]struct {
		failing []string
		made    []string
		ready   bool
	}{
		"made":                        {failing: []string{hook}, made: []string{"/classes/one", "/classes/two"}, ready: true},
		"one is missing":              {failing: []string{hook}, made: []string{"/classes/one"}},
		"something else fails":        {failing: []string{hook, "informer-sync"}, made: []string{"/classes/one", "/classes/two"}},
		"another hook":                {failing: []string{hook + "-else"}, made: []string{"/classes/one", "/classes/two"}},
		"an answer without any check": {made: []string{"/classes/one", "/classes/two"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := pretend(t, func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Path == "/version":
					_, _ = io.WriteString(w, `{"gitVersion":"v1.36.3"}`)
				case r.URL.Path == "/readyz":
					w.WriteHeader(http.StatusInternalServerError)
					for _, check := range c.failing {
						_, _ = io.WriteString(w, "[-]"+check+" failed: reason withheld\n")
					}
				case !slices.Contains(c.made, r.URL.Path):
					w.WriteHeader(http.StatusNotFound)
				}
			})
			s.polled = map[string][]string{hook: {"/classes/one", "/classes/two"}}
			err := s.awaitReady(t.Context(), time.Second, nil)
			assert.Equal(t, c.ready, err == nil, "%s: %v", name, err)
		})
	}
}
