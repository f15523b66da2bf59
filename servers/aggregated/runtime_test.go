package aggregated

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

// fakeProcess is a server that ends when the test ends it.
type fakeProcess struct {
	name     string
	endpoint servers.Endpoint
	told     func(string)
	once     sync.Once
	done     chan struct{}
	err      error
}

func (p *fakeProcess) end(how string, err error) {
	p.once.Do(func() {
		p.told(how + " " + p.name)
		p.err = err
		close(p.done)
	})
}

func (p *fakeProcess) Name() string               { return p.name }
func (p *fakeProcess) Endpoint() servers.Endpoint { return p.endpoint }
func (p *fakeProcess) ReadyAfter() time.Duration  { return time.Second }
func (p *fakeProcess) Done() <-chan struct{}      { return p.done }
func (p *fakeProcess) LogPath() string            { return p.name + ".log" }
func (p *fakeProcess) Err() error {
	select {
	case <-p.done:
		return p.err
	default:
		return nil
	}
}
func (p *fakeProcess) Stop(context.Context) error { p.end("stop", nil); return nil }
func (p *fakeProcess) Kill()                      { p.end("kill", nil) }

// fakeBelow starts fake servers: a kube-apiserver and a server behind it, with the answers that
// a test sets.
type fakeBelow struct {
	mu       sync.Mutex
	events   []string
	placed   map[string]servers.Placement
	started  map[string]*fakeProcess
	refuses  map[string]error // by name
	handlers map[string]http.Handler
	t        *testing.T
}

func newFakeBelow(t *testing.T) *fakeBelow {
	return &fakeBelow{t: t, placed: map[string]servers.Placement{}, started: map[string]*fakeProcess{}, refuses: map[string]error{}, handlers: map[string]http.Handler{}}
}

func (f *fakeBelow) tell(event string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = append(f.events, event)
}

func (f *fakeBelow) Start(ctx context.Context, _ servers.Build, at servers.Placement) (servers.Process, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.placed[at.Name] = at
	if err := f.refuses[at.Name]; err != nil {
		return nil, err
	}
	s := httptest.NewTLSServer(f.handlers[at.Name])
	f.t.Cleanup(s.Close)
	p := &fakeProcess{name: at.Name, told: f.tell, done: make(chan struct{}), endpoint: servers.Endpoint{
		URL: s.URL, CAData: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), Token: "secret",
	}}
	if at.Executed != nil {
		at.Executed(p.endpoint)
	}
	f.started[at.Name] = p
	return p, ctx.Err()
}

func (f *fakeBelow) Close() error { return nil }
func (f *fakeBelow) At(port int) servers.Endpoint {
	return servers.Endpoint{URL: fmt.Sprintf("https://127.0.0.1:%d", port), CAData: []byte("ca"), Token: "secret"}
}
func (f *fakeBelow) Gate(context.Context, servers.Build, string) (string, bool, error) {
	return "", false, nil
}
func (f *fakeBelow) Gates(context.Context, servers.Build) (map[string]string, error) { return nil, nil }
func (f *fakeBelow) TakesOver(b servers.Build) string                                { return "of " + b.Component }

// served answers as a server that serves one version, or as the kube-apiserver in front of it:
// its APIService exists once it was created, with the given status.
func served(status string, made func(path string)) http.Handler {
	var mu sync.Mutex
	there := made == nil
	answer := func(w http.ResponseWriter, v any) { _ = json.NewEncoder(w).Encode(v) }
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case r.Header.Get("Authorization") != "Bearer secret":
			w.WriteHeader(http.StatusUnauthorized)
		case r.Method == http.MethodPost:
			there = there || strings.Contains(r.URL.Path, "apiservices")
			made(r.URL.Path)
			answer(w, map[string]any{})
		case r.URL.Path == "/apis":
			answer(w, map[string]any{"groups": []any{map[string]any{"name": "fish.dev", "versions": []any{map[string]any{"version": "v1"}}}}})
		case r.URL.Path == "/openapi/v3":
			answer(w, map[string]any{"paths": map[string]any{"apis/fish.dev/v1": nil}})
		case r.URL.Path == "/apis/fish.dev":
			answer(w, map[string]any{"versions": []any{map[string]any{"version": "v1"}}})
		case r.URL.Path == "/apis/fish.dev/v1":
			answer(w, map[string]any{})
		case there && r.URL.Path == apiServices+"/v1.fish.dev":
			answer(w, map[string]any{"status": map[string]any{"conditions": []any{
				map[string]any{"type": "Available", "status": status, "reason": "FailedDiscoveryCheck", "message": "bad status: 503"},
			}}})
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
}

func fish() servers.Build {
	return servers.Build{Reference: "module:x/fish@v1.0.0", Component: "fish", Aggregated: &servers.Aggregation{
		Core: servers.Build{Reference: "kube-apiserver@v1.36.1", Component: "kube-apiserver"},
	}}
}

func started(t *testing.T) (*fakeBelow, servers.Process) {
	t.Helper()
	f := newFakeBelow(t)
	f.handlers["a-1"] = served("", nil)
	f.handlers["a-1-kube-apiserver"] = served("True", func(path string) { f.tell("make " + path) })
	p, err := NewRuntime(f, t.TempDir()).Start(t.Context(), fish(), servers.Placement{Name: "a-1", Store: servers.Store{Endpoint: "e"}})
	require.NoError(t, err)
	return f, p
}

// TestStart: both servers use the one store, clients get the endpoint of the kube-apiserver,
// and the server's versions are registered there.
func TestStart(t *testing.T) {
	f, p := started(t)
	defer p.Kill()
	assert.Equal(t, f.started["a-1-kube-apiserver"].endpoint, p.Endpoint())
	assert.Equal(t, "a-1", p.Name())
	assert.Equal(t, "a-1.log", p.LogPath())
	assert.Equal(t, []string{"make " + services, "make " + apiServices}, f.events)
	for name, placed := range f.placed {
		assert.Equal(t, "e", placed.Store.Endpoint, name)
		for _, flag := range placed.Flags {
			_, file, _ := strings.Cut(flag, "=")
			if info, err := os.Stat(file); strings.HasPrefix(file, "/") && assert.NoError(t, err) {
				assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), flag)
			}
		}
	}
}

// TestEnds: when one of the two ends by itself, the other ends too, with the reason; a replica
// that is stopped ends its kube-apiserver first, without an error.
func TestEnds(t *testing.T) {
	broken := errors.New("broken")
	for _, name := range []string{"a-1", "a-1-kube-apiserver"} {
		f, p := started(t)
		f.started[name].end("die", broken)
		<-p.Done()
		assert.ErrorIs(t, p.Err(), broken, name)
		assert.Len(t, f.events, 4, "%v", f.events)
		p.Kill()
		assert.NoError(t, p.Stop(t.Context()))
		assert.ErrorIs(t, p.Err(), broken, name)
	}
	for _, how := range []string{"stop", "kill"} {
		f, p := started(t)
		if how == "stop" {
			assert.NoError(t, p.Stop(t.Context()))
		} else {
			p.Kill()
		}
		<-p.Done()
		assert.NoError(t, p.Err())
		assert.Equal(t, []string{how + " a-1-kube-apiserver", how + " a-1"}, f.events[2:])
	}
}

// TestDoesNotStart: when one of the two does not start, the other is ended.
func TestDoesNotStart(t *testing.T) {
	for _, name := range []string{"a-1", "a-1-kube-apiserver"} {
		f := newFakeBelow(t)
		f.handlers["a-1"], f.handlers["a-1-kube-apiserver"] = served("", nil), served("True", func(string) {})
		f.refuses[name] = &servers.ExitError{Name: name, Status: "exited with status 1", Tail: []string{"unknown flag: --fins"}}
		_, err := NewRuntime(f, t.TempDir()).Start(t.Context(), fish(), servers.Placement{Name: "a-1"})
		var exit *servers.ExitError
		require.ErrorAs(t, err, &exit)
		assert.Equal(t, name, exit.Name)
		for _, other := range f.started {
			<-other.Done()
		}
	}
}

// TestNeverAvailable: the error quotes the condition of the APIService.
func TestNeverAvailable(t *testing.T) {
	f := newFakeBelow(t)
	f.handlers["a-1"], f.handlers["a-1-kube-apiserver"] = served("", nil), served("False", func(string) {})
	ctx, cancel := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, errNotServed)
	defer cancel()
	_, err := NewRuntime(f, t.TempDir()).Start(ctx, fish(), servers.Placement{Name: "a-1"})
	assert.EqualError(t, err, `server a-1 (module:x/fish@v1.0.0): APIService "v1.fish.dev": not reached through the kube-apiserver in time: `+
		`FailedDiscoveryCheck: bad status: 503; log: a-1.log`)
	assert.Equal(t, []string{"kill a-1-kube-apiserver", "kill a-1"}, f.events)
}

// TestServesNone: an adapter names versions that the server does not serve.
func TestServesNone(t *testing.T) {
	f := newFakeBelow(t)
	f.handlers["a-1"], f.handlers["a-1-kube-apiserver"] = served("", nil), served("True", func(string) {})
	b := fish()
	b.Aggregated.APIServices = []string{"v2.fish.dev"}
	_, err := NewRuntime(f, t.TempDir()).Start(t.Context(), b, servers.Placement{Name: "a-1"})
	var request *servers.RequestError
	require.ErrorAs(t, err, &request)
	assert.ErrorContains(t, err, "serves none of the adapter's apiServices (v2.fish.dev), but v1.fish.dev: correct them, or leave them out")
}

// TestOthers: the runtime below starts builds that are not aggregated and answers for their
// gates; for aggregated builds TakesOver is the kube-apiserver's.
func TestOthers(t *testing.T) {
	f := newFakeBelow(t)
	f.handlers["b"] = http.NotFoundHandler()
	r := NewRuntime(f, t.TempDir())
	p, err := r.Start(t.Context(), servers.Build{Component: "frobber"}, servers.Placement{Name: "b"})
	require.NoError(t, err)
	assert.Same(t, f.started["b"], p)
	assert.Empty(t, f.placed["b"].Flags)
	assert.Equal(t, "of frobber", r.TakesOver(servers.Build{Component: "frobber"}))
	assert.Equal(t, "of kube-apiserver", r.TakesOver(fish()))
}
