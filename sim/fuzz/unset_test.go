package fuzz

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
)

// forgetful serves gadgets: the server that accepted an object shows its mode, and the one
// below /new does not. If fills is set, the first shows an empty mode for every object
// without one.
func forgetful(t *testing.T, fills bool) map[term.Role]*Release {
	t.Helper()
	stored := map[string]map[string]any{}
	serve := func(role term.Role) *Release {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var object map[string]any
			_ = json.NewDecoder(r.Body).Decode(&object)
			name := path.Base(r.URL.Path)
			if r.Method == http.MethodPost {
				name, _ = object["metadata"].(map[string]any)["name"].(string)
			}
			if r.Method == http.MethodPost || r.Method == http.MethodPut {
				stored[name] = object
			}
			shown := runtime.DeepCopyJSON(stored[name])
			spec, _ := shown["spec"].(map[string]any)
			if _, has := spec["mode"]; !has && fills && spec != nil {
				spec["mode"] = ""
			}
			if role == term.New {
				delete(spec, "mode")
			}
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(shown)
		}))
		t.Cleanup(server.Close)
		conn, err := client.Connect(client.Endpoint{URL: server.URL})
		require.NoError(t, err)
		return &Release{Version: string(role), Conn: conn, Schema: published(t)}
	}
	return map[term.Role]*Release{term.Old: serve(term.Old), term.New: serve(term.New)}
}

// TestEmptyValueIsLost: a "" that a release distinguishes from an absent value can be lost.
// If the release shows "" for an absent value, nothing is lost with it.
func TestEmptyValueIsLost(t *testing.T) {
	at := func(role term.Role) Place {
		return Place{role, client.Discovered{APIVersion: "example.dev/v1", Kind: "Gadget", Plural: "gadgets"}}
	}
	for name, c := range map[string]struct {
		fills bool
		spec  map[string]any
		found bool
	}{
		"told from none":         {false, map[string]any{"size": int64(5), "mode": ""}, true},
		"shown of none":          {true, map[string]any{"size": int64(5), "mode": ""}, false},
		"shown, and not sent":    {true, map[string]any{"size": int64(5)}, false},
		"a value beside shown":   {true, map[string]any{"size": int64(5), "mode": "Fast"}, true},
		"neither sent nor shown": {false, map[string]any{"size": int64(5)}, false},
	} {
		tr := &Traveller{Trip: Trip{Kind: "Gadget.example.dev", Origin: at(term.Old), Name: "a", Releases: forgetful(t, c.fills)}}
		object := map[string]any{"kind": "Gadget", "metadata": map[string]any{}, "spec": c.spec}
		facts, err := tr.Travel(t.Context(), object, []Place{at(term.New)})
		require.NoError(t, err, name)
		paths := map[string]bool{}
		for _, f := range facts {
			paths[f.Diff.PathText()] = true
		}
		assert.Equal(t, c.found, paths[".spec.mode"], "%s: %v", name, paths)
	}
}

// TestOfferedLessWhatIsUnset: an object of which the old release drops "" is offered to the
// new one without it; one of which it drops a value uses a field that is off, and is not
// offered.
func TestOfferedLessWhatIsUnset(t *testing.T) {
	tr := &Traveller{Trip: Trip{
		Origin:   Place{term.Old, client.Discovered{APIVersion: "example.dev/v1", Kind: "Gadget"}},
		Releases: map[term.Role]*Release{term.Old: {Schema: published(t)}},
	}}
	object := func(mode string) map[string]any {
		return map[string]any{"spec": map[string]any{"size": int64(5), "mode": mode}}
	}
	taken := &Copy{"a", leavesOf(t, `{"spec":{"size":5}}`)}
	assert.Equal(t, map[string]any{"spec": map[string]any{"size": int64(5)}}, tr.withoutOwnUnset(object(""), taken))
	assert.Nil(t, tr.withoutOwnUnset(object("Fast"), taken))
	whole := &Copy{"a", leavesOf(t, `{"spec":{"size":5,"mode":""}}`)}
	assert.Equal(t, object(""), tr.withoutOwnUnset(object(""), whole))
}
