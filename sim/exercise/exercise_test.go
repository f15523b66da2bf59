package exercise

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/generate"
	"github.com/skewsim/skewsim/sim/published"
)

// fakeServer serves widgets: it refuses, drops and defaults fields by their names.
type fakeServer struct {
	mu        sync.Mutex
	stored    map[string]map[string]any
	dead      bool
	addresses int
}

func (f *fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var object map[string]any
	_ = json.NewDecoder(r.Body).Decode(&object)
	spec, _ := object["spec"].(map[string]any)
	switch {
	case f.dead, spec["deadly"] != nil:
		f.dead = true
		panic(http.ErrAbortHandler)
	case r.URL.Path == "/version":
		answer(w, 200, map[string]any{"gitVersion": "v1.0.0"})
		return
	case r.Method == http.MethodDelete:
		delete(f.stored, r.URL.Path)
		return
	case spec["colour"] != nil && spec["colour"] != "red":
		answer(w, 422, map[string]any{"kind": "Status", "code": 422, "message": "no", "details": map[string]any{"causes": []any{
			map[string]any{"reason": "FieldValueNotSupported", "field": "spec.colour", "message": `Unsupported value: "x": supported values: "red"`}}}})
		return
	case spec["never"] != nil:
		answer(w, 422, map[string]any{"kind": "Status", "code": 422, "message": "never again", "details": map[string]any{}})
		return
	}
	if !strings.HasSuffix(r.URL.Path, "/status") {
		delete(object, "status")
	} else if f.stored[strings.TrimSuffix(r.URL.Path, "/status")] == nil {
		answer(w, 404, map[string]any{"kind": "Status", "message": "not found"})
		return
	}
	delete(spec, "dropped")
	if spec != nil && spec["defaulted"] == nil {
		spec["defaulted"] = true
	}
	if spec != nil && spec["address"] == nil { // each object gets another one
		f.addresses++
		spec["address"] = strconv.Itoa(f.addresses)
	}
	if r.URL.Query().Get("dryRun") == "" {
		metadata, _ := object["metadata"].(map[string]any)
		name, _ := metadata["name"].(string)
		f.stored[r.URL.Path+"/"+name] = object
	}
	answer(w, 201, object)
}

func answer(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(body)
}

// config returns the configuration of a fake server, which a restart revives.
func config(t *testing.T) (Config, *fakeServer) {
	t.Helper()
	f := &fakeServer{stored: map[string]map[string]any{}}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	document, err := os.ReadFile("testdata/widget.json")
	require.NoError(t, err)
	return Config{
		Conn: conn, Namespace: "here",
		Release: published.Release{
			Documents: map[string][]byte{"example.dev/v1": document},
			Resources: []published.Resource{
				{APIVersion: "example.dev/v1", Kind: "Widget", Plural: "widgets", Namespaced: true, Verbs: []string{"create", "get", "update"}, Subresources: []string{"status"}},
				{APIVersion: "example.dev/v1", Kind: "Review", Plural: "reviews", Verbs: []string{"create"}},
			},
		},
		Restart: func(context.Context) (*client.Connection, error) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.dead = false
			return conn, nil
		},
		Examples: func(_, plural string) []map[string]any {
			return []map[string]any{{"metadata": map[string]any{"name": plural}, "spec": map[string]any{"size": int64(4)}}}
		},
	}, f
}

// TestSpecimens: each target has its object with the value as the server shows it, or the
// reason why it has none.
func TestSpecimens(t *testing.T) {
	c, f := config(t)
	target := func(kind, path string, value any) Target {
		return Target{ID: path, APIVersion: "example.dev/v1", Kind: kind, Path: path, Value: value}
	}
	c.Hints = []generate.Hint{{Kind: "Widget", Path: ".spec.hinted", Value: "because"}}
	got, err := Specimens(t.Context(), c, []Target{
		target("Widget", ".spec.colour", nil), target("Widget", ".spec.dropped", nil), target("Widget", ".spec.never", nil),
		target("Widget", ".spec.defaulted", nil), target("Widget", ".status.phase", nil), target("Widget", "", nil),
		target("Review", ".spec.size", nil), target("Gone", ".spec.size", nil), target("Widget", ".spec.parts[].weight", nil),
		target("Widget", ".spec.hinted", nil), target("Widget", ".spec.colour", "blue"),
	})
	require.NoError(t, err)
	require.Len(t, got, 11)
	colour, dropped, never, defaulted, status, whole := got[0], got[1], got[2], got[3], got[4], got[5]
	assert.Equal(t, "red", colour.Object["spec"].(map[string]any)["colour"])
	assert.EqualValues(t, 4, colour.Object["spec"].(map[string]any)["size"], "from the example")
	assert.Equal(t, term.OriginFixture, colour.Origin)
	assert.Equal(t, ".spec.colour", colour.Held)
	assert.Equal(t, "red", colour.Answered)
	assert.NotContains(t, colour.Bystander["spec"], "colour")
	assert.Nil(t, dropped.Object)
	assert.NotEmpty(t, dropped.Reason)
	assert.Nil(t, never.Object)
	assert.Contains(t, never.Reason, "never again")
	assert.Equal(t, false, defaulted.Answered, "true is what the server sets itself")
	assert.Equal(t, "status", status.Subresource)
	assert.Equal(t, ".status.phase", status.Held)
	assert.Contains(t, status.Object, "status")
	assert.EqualValues(t, 4, status.Object["spec"].(map[string]any)["size"])
	assert.NotNil(t, whole.Object)
	assert.Empty(t, got[6].Object)
	assert.Contains(t, got[6].Reason, "not stored")
	assert.Contains(t, got[7].Reason, "does not serve")
	assert.Equal(t, `.spec.parts[name="sample"].weight`, got[8].Held)
	assert.Equal(t, "because", got[9].Answered)
	assert.Nil(t, got[10].Object, "a value that is asked for is not replaced")
	assert.Len(t, f.stored, 1, "what was created for real is deleted, without the namespace")
}

// TestServerEnds: an object under which the server ends costs that object alone; without a
// restart it still has its reason.
func TestServerEnds(t *testing.T) {
	targets := []Target{
		{APIVersion: "example.dev/v1", Kind: "Widget", Path: ".spec.deadly"}, {APIVersion: "example.dev/v1", Kind: "Widget", Path: ".spec.size"},
	}
	c, _ := config(t)
	c.AtOnce = 1
	got, err := Specimens(t.Context(), c, targets)
	require.NoError(t, err)
	assert.Nil(t, got[0].Object)
	assert.NotEmpty(t, got[0].Reason)
	assert.NotNil(t, got[1].Object)

	c, _ = config(t)
	c.AtOnce, c.Restart = 1, nil
	got, err = Specimens(t.Context(), c, targets)
	require.NoError(t, err)
	assert.NotEmpty(t, got[0].Reason)
	assert.NotEmpty(t, got[1].Reason)
}
