package serverstest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skewsim/skewsim/servers"
)

func (s Subject) readyServer(t *testing.T) {
	b := s.bench(t)
	p := b.start("a")
	e := p.Endpoint()
	if got := gitVersion(t, e); got != s.Build.Version {
		t.Errorf("/version says %q, the build %q", got, s.Build.Version)
	}
	for _, token := range []string{"", "wrong"} {
		for _, path := range []string{"/version", "/readyz", s.Object.Collection} {
			if code, body := call(t, e, token, http.MethodGet, path, ""); code != http.StatusUnauthorized && code != http.StatusForbidden {
				t.Errorf("%s with token %q: %d %s", path, token, code, body)
			}
		}
	}
	u, err := url.Parse(e.URL)
	if err != nil || u.Scheme != "https" {
		t.Fatalf("endpoint %q: %v", e.URL, err)
	}
	if got := listeners(t, u.Port()); len(got) != 1 || !strings.HasPrefix(got[0], "0100007F:") {
		t.Errorf("listens on %v, want only the loopback address 0100007F", got)
	}
	private(t, b.dir)
	private(t, b.logs)
	if isClosed(p.Done()) || p.Err() != nil || p.Name() != "a" || p.ReadyAfter() <= 0 {
		t.Errorf("done %t, err %v, name %q, ready after %s", isClosed(p.Done()), p.Err(), p.Name(), p.ReadyAfter())
	}
	if log, err := os.Stat(p.LogPath()); err != nil || log.Size() == 0 {
		t.Errorf("log: %v %v", log, err)
	}
}

func (s Subject) sharedStore(t *testing.T) {
	b := s.bench(t)
	one, two := b.start("one"), b.start("two")
	if code, body := call(t, one.Endpoint(), one.Endpoint().Token, http.MethodPost, s.Object.Collection, s.Object.Body); code != http.StatusCreated {
		t.Fatalf("create: %d %s", code, body)
	}
	path := s.Object.Collection + "/" + s.Object.Name
	if code, body := call(t, two.Endpoint(), two.Endpoint().Token, http.MethodGet, path, ""); code != http.StatusOK {
		t.Errorf("get from the other: %d %s", code, body)
	}
	// Replicas of one control plane accept the same credentials.
	if code, body := call(t, two.Endpoint(), one.Endpoint().Token, http.MethodGet, path, ""); code != http.StatusOK {
		t.Errorf("get from the other with the token of the first: %d %s", code, body)
	}
	other := s.bench(t)
	three := other.start("three")
	if code, _ := call(t, three.Endpoint(), one.Endpoint().Token, http.MethodGet, "/version", ""); code != http.StatusUnauthorized {
		t.Errorf("another runtime's server takes this one's token: %d", code)
	}
}

func (s Subject) death(t *testing.T) {
	b := s.bench(t)
	p := b.start("a")
	for _, pid := range processes(t, b.dir) {
		victim, err := os.FindProcess(pid)
		if err != nil {
			t.Fatal(err)
		}
		if err := victim.Kill(); err != nil {
			t.Fatal(err)
		}
	}
	await(t, "the server's death is reported", p.Done())
	var exit *servers.ExitError
	if !errors.As(p.Err(), &exit) {
		t.Fatalf("Err said %v, want an *ExitError", p.Err())
	}
	if !exit.Ready || exit.Name != "a" || exit.Status != "was killed by signal 9 (killed)" || exit.Log != p.LogPath() || len(exit.Tail) == 0 {
		t.Errorf("Err said %#v", exit)
	}
	if err := p.Stop(t.Context()); err != nil {
		t.Errorf("stopping a dead server: %v", err)
	}
}

func (s Subject) deathBeforeReady(t *testing.T) {
	b := s.bench(t)
	at := b.placement("a")
	at.Options = s.Deadly
	_, err := b.runtime.Start(t.Context(), s.Build, at)
	var exit *servers.ExitError
	if !errors.As(err, &exit) {
		t.Fatalf("Start said %v, want an *ExitError", err)
	}
	want := fmt.Sprintf("server a (%s): exited with status 1 before it was ready; log: %s; its last lines:\n  %s",
		s.Build.Reference, filepath.Join(b.logs, "a.log"), s.LastWords)
	if err.Error() != want {
		t.Errorf("Start said\n%s\nwant\n%s", err, want)
	}
	b.start("a") // whatever the first Start began is undone, its name too
}

func (s Subject) stop(t *testing.T) {
	b := s.bench(t)
	p := b.start("a")
	began := time.Now()
	if err := p.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	t.Logf("stopped after %s", time.Since(began).Round(time.Millisecond))
	if !isClosed(p.Done()) || p.Err() != nil {
		t.Errorf("after Stop: done %t, err %v", isClosed(p.Done()), p.Err())
	}
	if err := p.Stop(t.Context()); err != nil {
		t.Errorf("second Stop: %v", err)
	}
	p.Kill()
	if err := p.Err(); err != nil {
		t.Errorf("Kill after Stop: %v", err)
	}
}

func (s Subject) stopOutOfTime(t *testing.T) {
	b := s.bench(t)
	p := b.start("a")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("out of patience"))
	if err := p.Stop(ctx); err == nil || !strings.Contains(err.Error(), "out of patience; killed it") {
		t.Errorf("Stop said %v", err)
	}
	if pids := processes(t, b.dir); !isClosed(p.Done()) || p.Err() != nil || len(pids) > 0 {
		t.Errorf("done %t, err %v, processes %v", isClosed(p.Done()), p.Err(), pids)
	}
}

func (s Subject) interruptedStart(t *testing.T) {
	b := s.bench(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	said := make(chan error)
	go func() {
		_, err := b.runtime.Start(ctx, s.Build, b.placement("a"))
		said <- err
	}()
	eventually(t, "the server's process exists", func() bool { return len(processes(t, b.dir)) == 1 })
	cancel(errors.New("interrupted"))
	want := fmt.Sprintf("server a (%s): start: interrupted", s.Build.Reference)
	if err := <-said; err == nil || err.Error() != want {
		t.Errorf("Start said %v, want %s", err, want)
	}
	if pids := processes(t, b.dir); len(pids) > 0 {
		t.Errorf("processes %v are left", pids)
	}
}

func (s Subject) startOutOfTime(t *testing.T) {
	b := s.bench(t)
	at := b.placement("a")
	at.ReadyWithin = time.Millisecond
	_, err := b.runtime.Start(t.Context(), s.Build, at)
	want := fmt.Sprintf("server a (%s): not ready after 1ms: ", s.Build.Reference)
	if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), "; log: "+filepath.Join(b.logs, "a.log")) {
		t.Errorf("Start said %v, want %s...", err, want)
	}
	if pids := processes(t, b.dir); len(pids) > 0 {
		t.Errorf("processes %v are left", pids)
	}
}

func (s Subject) ports(t *testing.T) {
	b := s.bench(t)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := b.placement("a")
	at.Port = l.Addr().(*net.TCPAddr).Port
	_, err = b.runtime.Start(t.Context(), s.Build, at)
	want := fmt.Sprintf("server a (%s): port %d: in use by another process; end it, or choose no port to get a free one", s.Build.Reference, at.Port)
	if err == nil || err.Error() != want {
		t.Errorf("on an occupied port Start said %v, want %s", err, want)
	}
	l.Close()
	first, err := b.runtime.Start(t.Context(), s.Build, at)
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("https://127.0.0.1:%d", at.Port); first.Endpoint().URL != want {
		t.Errorf("serves %s, want %s", first.Endpoint().URL, want)
	}
	// A port of one of our own servers is refused too: two servers that shared it would share
	// the requests.
	again := at
	again.Name = "b"
	_, err = b.runtime.Start(t.Context(), s.Build, again)
	if want := strings.Replace(want, "server a", "server b", 1); err == nil || err.Error() != want {
		t.Errorf("on a server's port Start said %v, want %s", err, want)
	}
	// The next release can use the port immediately.
	if err := first.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := b.runtime.Start(t.Context(), s.Build, again); err != nil {
		t.Errorf("on the port of a stopped server: %v", err)
	}
}

func (s Subject) refusedOptions(t *testing.T) {
	b := s.bench(t)
	at := b.placement("a")
	at.Options = s.Refused
	if _, err := b.runtime.Start(t.Context(), s.Build, at); err == nil {
		t.Errorf("started with %v", s.Refused)
	}
}

func (s Subject) names(t *testing.T) {
	b := s.bench(t)
	for _, name := range []string{"", "../a", "a/b", ".a", "a b"} {
		if _, err := b.runtime.Start(t.Context(), s.Build, b.placement(name)); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("name %q: ", name)) {
			t.Errorf("name %q: Start said %v", name, err)
		}
	}
	b.start("a")
	_, err := b.runtime.Start(t.Context(), s.Build, b.placement("a"))
	want := fmt.Sprintf(`server a (%s): name "a" was used before; each server needs a name of its own`, s.Build.Reference)
	if err == nil || err.Error() != want {
		t.Errorf("Start said %v, want %s", err, want)
	}
}

func (s Subject) close(t *testing.T) {
	b := s.bench(t)
	one, two := b.start("one"), b.start("two")
	if err := b.runtime.Close(); err != nil {
		t.Error(err)
	}
	for _, p := range []servers.Process{one, two} {
		if !isClosed(p.Done()) || p.Err() != nil {
			t.Errorf("%s after Close: done %t, err %v", p.Name(), isClosed(p.Done()), p.Err())
		}
		if _, err := os.Stat(p.LogPath()); err != nil {
			t.Errorf("the log of %s must stay: %v", p.Name(), err)
		}
	}
	if pids := processes(t, b.dir); len(pids) > 0 {
		t.Errorf("processes %v are left", pids)
	}
	if left, err := os.ReadDir(b.dir); err != nil || len(left) > 0 {
		t.Errorf("secrets are left: %v %v", left, err)
	}
	if err := b.runtime.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
	if _, err := b.runtime.Start(t.Context(), s.Build, b.placement("late")); err == nil || !strings.Contains(err.Error(), "the runtime is closed") {
		t.Errorf("Start after Close said %v", err)
	}
}
