package fuzz

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/schema"
)

// shelf serves one object in each version that is asked for, as one release and as
// another, and does to it what a write in v2 is said to.
func shelf(t *testing.T, write func(spec map[string]any)) *client.Connection {
	var mu sync.Mutex
	var spec map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.Method != http.MethodGet {
			var sent map[string]any
			_ = json.NewDecoder(r.Body).Decode(&sent)
			spec, _ = sent["spec"].(map[string]any)
			if r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/v2/") {
				write(spec)
			}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"kind": "Gadget", "spec": spec})
	}))
	t.Cleanup(server.Close)
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	return conn
}

// TestWhatATripAdds: a value that comes with a trip through another version of the
// same release is a violation; through the other release it may be a default.
func TestWhatATripAdds(t *testing.T) {
	both, err := schema.Parse([][]byte{gadgetOpenAPI(t), []byte(strings.NewReplacer(`"version": "v1", "kind"`, `"version": "v2", "kind"`, `"x.Gadget"`, `"y.Gadget"`).Replace(string(gadgetOpenAPI(t))))})
	require.NoError(t, err)
	at := func(role term.Role, version string) place {
		return place{role, client.Discovered{APIVersion: "example.dev/" + version, Kind: "Gadget", Plural: "gadgets"}}
	}
	adds := func(spec map[string]any) { spec["step"] = 5 }
	for name, c := range map[string]struct {
		write func(spec map[string]any)
		at    place
		want  string
	}{
		"adds":                      {adds, at(term.Old, "v2"), ".spec.step, which it did not have, became 5 when"},
		"adds, in its own version":  {adds, at(term.Old, "v1"), ""},
		"adds, in another release":  {adds, at(term.New, "v2"), ""},
		"adds what is empty":        {func(spec map[string]any) { spec["tags"] = []any{} }, at(term.Old, "v2"), ""},
		"changes":                   {func(spec map[string]any) { spec["size"] = 6 }, at(term.Old, "v2"), ".spec.size = 5, acknowledged there, became 6 when"},
		"leaves all as it was sent": {func(map[string]any) {}, at(term.Old, "v2"), ""},
	} {
		conn := shelf(t, c.write)
		r := &release{version: "v1.0", conn: conn, schema: both}
		tr := &traveller{kind: "Gadget.example.dev", origin: at(term.Old, "v1"), name: "a", releases: map[term.Role]*release{term.Old: r, term.New: r}}
		facts, err := tr.travel(t.Context(), map[string]any{"kind": "Gadget", "spec": map[string]any{"size": 5.0}}, []place{c.at})
		require.NoError(t, err, name)
		if c.want == "" {
			assert.Empty(t, facts, name)
			continue
		}
		require.Len(t, facts, 1, name)
		assert.Equal(t, []any{term.Violation, term.CheckRule4, term.Rule4}, []any{facts[0].class, facts[0].check, facts[0].rule()}, name)
		l := &lap{releases: tr.releases}
		assert.Contains(t, l.sentence(&journey{traveller: tr}, facts[0]), c.want, name)
	}
}

// TestNotAgain: behind a create that a server answers as one that is ending, a death is
// looked for; behind a refusal of what it had taken before there is none.
func TestNotAgain(t *testing.T) {
	for code, ends := range map[int]bool{503: true, 429: true, 422: false} {
		var posts int
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.Method == http.MethodPost {
				posts++
			}
			if r.Method == http.MethodPut || r.Method == http.MethodDelete || posts > 1 { // damaged, and then it begins to end
				w.WriteHeader(code)
			}
			_, _ = w.Write([]byte(`{"kind":"Gadget","spec":{"size":5}}`))
		}))
		t.Cleanup(server.Close)
		conn, err := client.Connect(client.Endpoint{URL: server.URL})
		require.NoError(t, err)
		at := place{term.New, client.Discovered{APIVersion: "example.dev/v1", Kind: "Gadget", Plural: "gadgets"}}
		r := &release{version: "v1.0", conn: conn, schema: published(t)}
		tr := &traveller{kind: "Gadget.example.dev", origin: at, name: "a", releases: map[term.Role]*release{term.New: r}}
		facts, err := tr.travel(t.Context(), map[string]any{"kind": "Gadget", "spec": map[string]any{"size": 5.0}}, []place{at, at})
		require.EqualError(t, err, fmt.Sprintf("v1.0: answered %d to a create of what it had taken before", code))
		require.Len(t, facts, 1)
		assert.Equal(t, ends, doubtful([]*journey{{traveller: tr, facts: facts}}), code)
		err = bury(t.Context(), err, false, running(), ended(died))
		assert.Equal(t, ends, err == error(died), "%d: %v", code, err)
	}
}

// TestBesides: what nobody acknowledged has to stay as it was too.
func TestBesides(t *testing.T) {
	was := leavesOf(t, `{"spec":{"size":5}}`)
	assert.Len(t, besides(was, leavesOf(t, `{"spec":{"size":5,"step":5}}`), leavesOf(t, `{"spec":{"size":5}}`)), 1, "lost")
	assert.Len(t, besides(was, leavesOf(t, `{"spec":{"size":5}}`), leavesOf(t, `{"spec":{"size":5,"step":0}}`)), 1, "added")
	assert.Empty(t, besides(was, was, leavesOf(t, `{"spec":{"size":6}}`)), "what was acknowledged is told of otherwise")
}
