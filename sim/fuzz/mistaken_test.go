package fuzz

import (
	"encoding/json"
	"maps"
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

// shelves serve objects by name, and show the configured members of a spec.
func shelves(t *testing.T, stored map[string]map[string]any, mu *sync.Mutex, show func(spec map[string]any)) *client.Connection {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		if r.Method == http.MethodPost {
			var sent struct {
				Metadata struct{ Name string }
				Spec     map[string]any
			}
			_ = json.NewDecoder(r.Body).Decode(&sent)
			name = sent.Metadata.Name
			stored[name] = sent.Spec
		}
		spec := maps.Clone(stored[name])
		show(spec)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"kind": "Gadget", "spec": spec})
	}))
	t.Cleanup(server.Close)
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	return conn
}

// gadgets publish a spec with these whole numbers.
func gadgets(t *testing.T, fields ...string) *schema.Schema {
	t.Helper()
	of := map[string]any{}
	for _, name := range fields {
		of[name] = map[string]any{"type": "integer"}
	}
	raw, err := json.Marshal(map[string]any{"components": map[string]any{"schemas": map[string]any{"x.Gadget": map[string]any{
		"type": "object", "properties": map[string]any{"kind": map[string]any{"type": "string"}, "spec": map[string]any{"type": "object", "properties": of}},
		"x-kubernetes-group-version-kind": []any{map[string]any{"group": "example.dev", "version": "v1", "kind": "Gadget"}},
	}}}})
	require.NoError(t, err)
	all, err := schema.Parse([][]byte{raw})
	require.NoError(t, err)
	return all
}

// TestMistaken: a value that a release makes from a field that it does not publish is a
// violation; one that it makes from nothing, or from fields that both publish, is fine.
func TestMistaken(t *testing.T) {
	turn := 0.0
	for name, c := range map[string]struct {
		shine func(spec map[string]any) any
		want  int
	}{
		"made of the glow":  {func(spec map[string]any) any { return spec["glow"] }, 1},
		"a default":         {func(map[string]any) any { return 7 }, 0},
		"made of the size":  {func(spec map[string]any) any { return spec["size"] }, 0},
		"another each time": {func(map[string]any) any { turn++; return turn }, 0},
		"what is not shown": {func(map[string]any) any { return nil }, 0},
	} {
		stored, mu := map[string]map[string]any{}, &sync.Mutex{}
		old := &Release{Version: "v1.0", Schema: gadgets(t, "size", "glow"), Conn: shelves(t, stored, mu, func(map[string]any) {})}
		new := &Release{Version: "v1.1", Schema: gadgets(t, "size", "shine"), Conn: shelves(t, stored, mu, func(spec map[string]any) {
			if v := c.shine(spec); v != nil {
				spec["shine"] = v
			}
			delete(spec, "glow")
		})}
		gadget := client.Discovered{APIVersion: "example.dev/v1", Kind: "Gadget", Plural: "gadgets"}
		tr := &Traveller{Trip: Trip{Kind: "Gadget.example.dev", Origin: Place{term.Old, gadget}, Name: "a", Releases: map[term.Role]*Release{term.Old: old, term.New: new}}}
		object := map[string]any{"kind": "Gadget", "spec": map[string]any{"size": 5.0, "glow": 6.0}}
		made, _, err := tr.Create(t.Context(), object)
		require.NoError(t, err, name)
		facts, err := tr.mistaken(t.Context(), object, made, Place{term.New, gadget})
		require.NoError(t, err, name)
		require.Len(t, facts, c.want, name)
		if c.want == 0 {
			continue
		}
		assert.Equal(t, []any{term.Violation, term.CheckNothingLost, term.RuleStorage}, []any{facts[0].Class, facts[0].Check, facts[0].Rule()})
		assert.Equal(t, []any{".spec.shine", term.Changed, int64(6), ".spec.glow"}, []any{facts[0].Diff.PathText(), facts[0].Diff.Outcome, facts[0].Diff.After, facts[0].From})
	}
}
