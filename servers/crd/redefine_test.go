package crd

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

// ServeHTTP implements http.Handler.
func (s *store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer, err := s.RoundTrip(r)
	if err != nil {
		return
	}
	defer answer.Body.Close()
	w.WriteHeader(answer.StatusCode)
	for text := make([]byte, 4096); err == nil; {
		var n int
		n, err = answer.Body.Read(text)
		_, _ = w.Write(text[:n])
		w.(http.Flusher).Flush() // a watch goes on
	}
}

// installable is a server over a store, which runs until it is stopped.
type installable struct {
	servers.Process
	endpoint servers.Endpoint
	end      func()
	done     chan struct{}
}

func (p installable) Name() string               { return "a-1" }
func (p installable) Endpoint() servers.Endpoint { return p.endpoint }
func (p installable) ReadyAfter() time.Duration  { return time.Second }
func (p installable) Done() <-chan struct{}      { return p.done }
func (p installable) Err() error                 { return nil }
func (p installable) Stop(context.Context) error { p.end(); return nil }
func (p installable) Kill()                      { p.end() }
func (p installable) hasEnded() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// starter is a runtime that starts one server.
type starter struct {
	teller
	server installable
}

func (s *starter) Start(context.Context, servers.Build, servers.Placement) (servers.Process, error) {
	return s.server, nil
}
func (s *starter) Close() error { return nil }

// newStarter returns a runtime that starts a server over a store.
func newStarter(t *testing.T, s *store) *starter {
	t.Helper()
	listens := httptest.NewTLSServer(s)
	t.Cleanup(listens.Close)
	done := make(chan struct{})
	return &starter{server: installable{
		endpoint: servers.Endpoint{URL: listens.URL, CAData: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: listens.Certificate().Raw})},
		end:      sync.OnceFunc(func() { close(done) }), done: done,
	}}
}

// TestRedefine: a server goes on as one of another release: its definitions are replaced, those that only the older release
// has stay, and the server ends with its last process alone. Nothing is written where nothing differs.
func TestRedefine(t *testing.T) {
	s := newStore()
	below := newStarter(t, s)
	r := NewRuntime(below, t.TempDir(), t.TempDir(), nil)
	defer func() { assert.NoError(t, r.Close()) }()
	old := servers.Build{Reference: "crd:old", Digest: "old", Installs: manifests("A", "B")}
	later := servers.Build{Reference: "crd:new", Digest: "new", Installs: manifests("B", "C")}
	later.Installs.Objects[0] = json.RawMessage(strings.Replace(string(later.Installs.Objects[0]), `"metadata": {`, `"metadata": {"labels": {"of": "new"}, `, 1))

	first, err := r.Start(t.Context(), old, servers.Placement{Name: "a-1"})
	require.NoError(t, err)
	require.Equal(t, 2, s.count("PATCH"))
	second, err := r.Redefine(t.Context(), first, later)
	require.NoError(t, err)
	<-first.Done()
	assert.NoError(t, first.Err())
	require.NoError(t, first.Stop(t.Context()))
	first.Kill()
	assert.False(t, below.server.hasEnded(), "it runs as one of the new release")
	assert.Equal(t, 4, s.count("PATCH"))
	assert.Equal(t, 1, s.count("PATCH cs.x.io"))
	assert.Len(t, s.byName, 3)
	assert.Equal(t, map[string]any{"of": "new"}, s.byName["bs.x.io"]["metadata"].(map[string]any)["labels"])
	var names []string
	for _, i := range second.(servers.Installer).Installed() {
		names = append(names, i.Name)
	}
	assert.Equal(t, []string{"bs.x.io", "cs.x.io"}, names)

	third, err := r.Redefine(t.Context(), second, servers.Build{Reference: "crd:same", Digest: "same", Installs: later.Installs})
	require.NoError(t, err)
	assert.Equal(t, 4, s.count("PATCH"))
	require.NoError(t, third.Stop(t.Context()))
	assert.True(t, below.server.hasEnded())
	<-third.Done()
}

// TestRedefineRefused: a server whose build has another server or a program, or whose new definitions are refused, goes on as what it
// is.
func TestRedefineRefused(t *testing.T) {
	s := newStore()
	below := newStarter(t, s)
	r := NewRuntime(below, t.TempDir(), t.TempDir(), nil)
	defer func() { assert.NoError(t, r.Close()) }()
	first, err := r.Start(t.Context(), servers.Build{Reference: "crd:old", Digest: "old", Installs: manifests("A")}, servers.Placement{Name: "a-1"})
	require.NoError(t, err)
	elsewhere, converted := manifests("A", "B"), manifests("A", "B")
	elsewhere.Server, converted.Program = servers.Build{Version: "v1.37.0"}, &servers.Program{}
	for _, i := range []*servers.Installation{elsewhere, converted} {
		_, err := r.Redefine(t.Context(), first, servers.Build{Reference: "crd:new", Digest: "new", Installs: i})
		require.ErrorContains(t, err, "crd:new: a-1 ")
	}
	assert.Equal(t, 1, s.count("PATCH"), "nothing is written")
	s.write = func(string) (int, bool) { return http.StatusUnprocessableEntity, false }
	_, err = r.Redefine(t.Context(), first, servers.Build{Reference: "crd:new", Digest: "new", Installs: manifests("A", "B")})
	require.ErrorContains(t, err, "server a-1 (crd:new): the server refuses the manifest of bs.x.io")
	select {
	case <-first.Done():
		t.Error("it still runs")
	default:
	}
	require.NoError(t, first.Stop(t.Context()))
	assert.True(t, below.server.hasEnded())
}

// TestIsStuck: a cache that fills is waited for, longer than one that says why it does not fill, as with an object that no program converts.
func TestIsStuck(t *testing.T) {
	const fills = "storage is (re)initializing"
	for _, c := range []struct {
		said   string
		steady time.Duration
		want   bool
	}{
		{fills, 4 * time.Second, false}, {fills, 31 * time.Second, true}, {"", 4 * time.Second, true}, {"", time.Second, false},
		{fills + ": failed to list: conversion webhook for example.dev/v1, Kind=Widget failed", 4 * time.Second, true}, {fills + ": failed", time.Second, false},
	} {
		assert.Equal(t, c.want, isStuck(c.said, c.steady), "%q after %s", c.said, c.steady)
	}
}
