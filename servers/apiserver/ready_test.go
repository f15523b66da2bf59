package apiserver

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/process"
)

// pretend gives a server whose process sleeps and whose answers are the
// handler's.
func pretend(t *testing.T, handler http.HandlerFunc) *server {
	t.Helper()
	web := httptest.NewTLSServer(handler)
	t.Cleanup(web.Close)
	child, err := process.Start(process.Command{Path: "/bin/sleep", Args: []string{"600"}, LogPath: filepath.Join(t.TempDir(), "a.log")})
	if err != nil {
		t.Fatal(err)
	}
	held, err := reserve(0)
	if err != nil {
		t.Fatal(err)
	}
	s := &server{
		name: "a", build: servers.Build{Reference: "path:x", Version: "v1.36.3"}, child: child, port: held,
		client: web.Client(), endpoint: servers.Endpoint{URL: web.URL, Token: "secret"}, began: time.Now(), done: make(chan struct{}),
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
	const unready = "[+]ping ok\n[-]etcd failed: reason withheld\n[+]log ok\n[-]informer-sync failed: reason withheld\nreadyz check failed\n"
	for _, c := range []struct {
		name, want string
		handler    http.HandlerFunc
	}{
		{"ready", "", answers(200, "ok", `{"gitVersion":"v1.36.3"}`)},
		{"checks fail", "server a (path:x): not ready after 300ms: /readyz answered 500: " +
			"[-]etcd failed: reason withheld, [-]informer-sync failed: reason withheld; log: LOG", answers(500, unready, "")},
		{"answers something else", "server a (path:x): not ready after 300ms: /readyz answered 404: no such page; log: LOG", answers(404, "no such page\n", "")},
		{"another release", `server a (path:x): /version says "v1.37.0", the build "v1.36.3"`, answers(200, "ok", `{"gitVersion":"v1.37.0"}`)},
		{"no release", `server a (path:x): /version answered 200: "hello"`, answers(200, "ok", "hello")},
	} {
		s := pretend(t, c.handler)
		got := ""
		if err := s.awaitReady(t.Context(), 300*time.Millisecond, nil); err != nil {
			got = err.Error()
		}
		if want := strings.ReplaceAll(c.want, "LOG", s.LogPath()); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, want)
		}
		if ready := s.ReadyAfter() > 0; ready != (c.want == "") {
			t.Errorf("%s: ready after %s", c.name, s.ReadyAfter())
		}
	}
}

// A server that is killed while somebody waits for it is not taken for ready.
func TestKilledWhileAwaited(t *testing.T) {
	s := pretend(t, answers(500, "", ""))
	s.Kill()
	want := "server a (path:x): start: the runtime was closed"
	if err := s.awaitReady(t.Context(), time.Minute, nil); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
