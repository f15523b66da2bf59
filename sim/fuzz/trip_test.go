package fuzz

import (
	"encoding/json"
	"errors"
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

// shelf serves one object in each requested version, as one release and as another, and
// changes it on a write in v2 as configured.
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

// TestWhatATripAdds: a value that a trip through another version of the same release adds
// is a violation; through the other release it may be a default.
func TestWhatATripAdds(t *testing.T) {
	both, err := schema.Parse([][]byte{gadgetOpenAPI(t), []byte(strings.NewReplacer(`"version": "v1", "kind"`, `"version": "v2", "kind"`, `"x.Gadget"`, `"y.Gadget"`).Replace(string(gadgetOpenAPI(t))))})
	require.NoError(t, err)
	at := func(role term.Role, version string) Place {
		return Place{role, client.Discovered{APIVersion: "example.dev/" + version, Kind: "Gadget", Plural: "gadgets"}}
	}
	adds := func(spec map[string]any) { spec["step"] = 5 }
	for name, c := range map[string]struct {
		write func(spec map[string]any)
		at    Place
		was   any
		want  string
	}{
		"adds":                      {adds, at(term.Old, "v2"), nil, ".spec.step"},
		"adds, in its own version":  {adds, at(term.Old, "v1"), nil, ""},
		"adds, in another release":  {adds, at(term.New, "v2"), nil, ""},
		"adds what is empty":        {func(spec map[string]any) { spec["tags"] = []any{} }, at(term.Old, "v2"), nil, ""},
		"changes":                   {func(spec map[string]any) { spec["size"] = 6 }, at(term.Old, "v2"), int64(5), ".spec.size"},
		"leaves all as it was sent": {func(map[string]any) {}, at(term.Old, "v2"), nil, ""},
	} {
		conn := shelf(t, c.write)
		r := &Release{Version: "v1.0", Conn: conn, Schema: both}
		tr := &Traveller{Trip: Trip{Kind: "Gadget.example.dev", Origin: at(term.Old, "v1"), Name: "a", Releases: map[term.Role]*Release{term.Old: r, term.New: r}}}
		facts, err := tr.Travel(t.Context(), map[string]any{"kind": "Gadget", "spec": map[string]any{"size": 5.0}}, []Place{c.at})
		require.NoError(t, err, name)
		if c.want == "" {
			assert.Empty(t, facts, name)
			continue
		}
		require.Len(t, facts, 1, name)
		assert.Equal(t, []any{term.Violation, term.CheckRule4, term.Rule4}, []any{facts[0].Class, facts[0].Check, facts[0].Rule()}, name)
		d := facts[0].Diff
		assert.Equal(t, []any{c.want, term.Changed, c.was, true}, []any{d.PathText(), d.Outcome, d.Before, facts[0].Wrote}, name)
	}
}

// TestNotAgain: a create that a server answers as one that is ending may be its death; a
// refusal of an object that it accepted before is not.
func TestNotAgain(t *testing.T) {
	for code, ends := range map[int]bool{503: true, 429: true, 422: false} {
		var posts int
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.Method == http.MethodPost {
				posts++
			}
			switch {
			case posts > 1: // it begins to end
				w.WriteHeader(code)
			case r.Method == http.MethodPut: // damaged
				w.WriteHeader(http.StatusInternalServerError)
			}
			_, _ = w.Write([]byte(`{"kind":"Gadget","spec":{"size":5}}`))
		}))
		t.Cleanup(server.Close)
		conn, err := client.Connect(client.Endpoint{URL: server.URL})
		require.NoError(t, err)
		at := Place{term.New, client.Discovered{APIVersion: "example.dev/v1", Kind: "Gadget", Plural: "gadgets"}}
		r := &Release{Version: "v1.0", Conn: conn, Schema: published(t)}
		tr := &Traveller{Trip: Trip{Kind: "Gadget.example.dev", Origin: at, Name: "a", Releases: map[term.Role]*Release{term.New: r}}}
		facts, err := tr.Travel(t.Context(), map[string]any{"kind": "Gadget", "spec": map[string]any{"size": 5.0}}, []Place{at, at})
		require.EqualError(t, err, fmt.Sprintf("v1.0: answered %d to a create of an object that it accepted before", code))
		require.Len(t, facts, 1)
		assert.Equal(t, ends, tr.MayBeLastWords(facts[0]), code)
		var silent *NoAnswerError
		assert.Equal(t, ends, errors.As(err, &silent), "%d: %v", code, err)
	}
}

// TestBesides: unacknowledged values have to stay unchanged too.
