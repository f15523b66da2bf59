package fuzz

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"path"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/objects"
	"github.com/skewsim/skewsim/sim/schema"
)

// fakeServer is a server of a single kind, Gadget, which behaves as a test configures it.
type fakeServer struct {
	mu     sync.Mutex
	stored map[string]map[string]any
	writes int
	// before is called for each request; a code other than 0 is the answer.
	before func(g *fakeServer, method string, object map[string]any) int
	// panics are the audit IDs of the requests that the server's log reports as panics.
	panics map[string]bool
}

const (
	brokenOff = -1 // no answer
	panicking = -2 // no answer, and the log has a panic
)

func (g *fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var object map[string]any
	_ = json.NewDecoder(r.Body).Decode(&object)
	name := path.Base(r.URL.Path)
	if r.Method == http.MethodPost {
		name, _ = object["metadata"].(map[string]any)["name"].(string)
	}
	code := 0
	if g.before != nil {
		code = g.before(g, r.Method, object)
	}
	switch {
	case code == panicking:
		g.panics[r.Header.Get("Audit-ID")] = true
		panic(http.ErrAbortHandler)
	case code == brokenOff:
		panic(http.ErrAbortHandler)
	case code != 0:
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(map[string]any{"kind": "Status", "code": code, "reason": "Conflict", "message": "no"})
		return
	}
	if r.Method == http.MethodDelete {
		delete(g.stored, name)
		_, _ = w.Write([]byte("{}"))
		return
	}
	if r.Method != http.MethodGet {
		g.writes++
		object["metadata"].(map[string]any)["resourceVersion"] = strconv.Itoa(g.writes)
		g.stored[name] = object
	}
	_ = json.NewEncoder(w).Encode(g.stored[name])
}

const gadgetDocument = `{"components":{"schemas":{"Gadget":{"type":"object",
	"x-kubernetes-group-version-kind":[{"group":"","kind":"Gadget","version":"v1"}],
	"required":["spec"],"properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"type":"object"},
	"spec":{"type":"object","required":["size"],"properties":{"size":{"type":"integer"},"colour":{"type":"string"},"shape":{"type":"string"}}}}}}}}`

// gadgetLap is a lap of one kind, whose old and new servers are both this one.
func gadgetLap(t *testing.T, g *fakeServer, count int) *lap {
	t.Helper()
	g.stored, g.panics = map[string]map[string]any{}, map[string]bool{}
	server := httptest.NewUnstartedServer(g)
	server.Config.ErrorLog = nil
	server.StartTLS()
	t.Cleanup(server.Close)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	conn, err := client.Connect(client.Endpoint{URL: server.URL, CAData: ca, Panicked: func(_ context.Context, id string) *client.Panic {
		g.mu.Lock()
		defer g.mu.Unlock()
		if !g.panics[id] {
			return nil
		}
		return &client.Panic{Value: "nil", Function: "x.f", Line: "x.go:1"}
	}})
	require.NoError(t, err)
	s, err := objects.ReadDefinitions([]byte(gadgetDocument))
	require.NoError(t, err)
	parsed, err := schema.Parse([][]byte{[]byte(gadgetDocument)})
	require.NoError(t, err)
	releases := map[term.Role]*Release{}
	for _, role := range []term.Role{term.Old, term.New} {
		releases[role] = &Release{
			Version: string(role), Conn: conn, Process: running(), Schema: parsed, Definitions: map[string]objects.Definitions{"v1": s},
			Served: []client.Discovered{{APIVersion: "v1", Kind: "Gadget", Plural: "gadgets"}},
		}
	}
	f := &fuzzer{config: Config{Count: count, Note: func(string) {}}, result: &Result{}, byKey: map[string]int{}, kinds: []string{"Gadget"}}
	return &lap{fuzzer: f, plan: lapPlan{name: "as they are"}, releases: releases}
}

// ride sends all objects on their trips, and returns the result.
func (l *lap) rideAll(t *testing.T) Result {
	t.Helper()
	trips, err := l.all(t.Context())
	require.NoError(t, l.conclude(t.Context(), trips, l.bury(t.Context(), err, trips)))
	l.result.judge()
	return *l.result
}
