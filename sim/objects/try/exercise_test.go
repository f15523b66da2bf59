package try

import (
	"context"
	"encoding/json"
	"errors"
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
	"github.com/skewsim/skewsim/sim/objects"
	"github.com/skewsim/skewsim/sim/published"
)

// fakeServer serves widgets: it refuses, drops and defaults fields by their names.
type fakeServer struct {
	mu        sync.Mutex
	stored    map[string]map[string]any
	dead      bool
	addresses int
	restarts  int
	busy      int // requests that are turned away first
	// answers is after how many objects all requests are turned away; 0: never.
	answers int
	asked   int // requests
}

func (f *fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked++
	var object map[string]any
	_ = json.NewDecoder(r.Body).Decode(&object)
	spec, _ := object["spec"].(map[string]any)
	switch {
	case f.dead, spec["deadly"] != nil:
		f.dead = true
		panic(http.ErrAbortHandler)
	case spec["breaking"] != nil:
		panic(http.ErrAbortHandler)
	case f.busy > 0 && r.URL.Path != "/version":
		f.busy--
		answer(w, 503, map[string]any{"kind": "Status", "code": 503, "message": "later"})
		return
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
	case spec["failing"] != nil:
		answer(w, 500, map[string]any{"kind": "Status", "code": 500, "message": "it failed"})
		return
	case spec["needing"] != nil && f.stored["/apis/example.dev/v1/namespaces/here/widgets/second"] == nil:
		answer(w, 422, map[string]any{"kind": "Status", "code": 422, "message": "it needs a second object"})
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
	if f.answers > 0 && spec != nil {
		if f.answers--; f.answers == 0 {
			f.busy = 1000
		}
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
		Namespace: "here",
		Server: NewServer(conn, func(context.Context) (*client.Connection, error) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.dead, f.restarts = false, f.restarts+1
			return conn, nil
		}),
		Release: published.Release{
			Documents: map[string][]byte{"example.dev/v1": document},
			Resources: []published.Resource{
				{APIVersion: "example.dev/v1", Kind: "Widget", Plural: "widgets", Namespaced: true, Verbs: []string{"create", "get", "update"}, Subresources: []string{"status"}},
				{APIVersion: "example.dev/v1", Kind: "Review", Plural: "reviews", Verbs: []string{"create"}},
			},
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
	c.Hints = []objects.Hint{{Kind: "Widget", Path: ".spec.hinted", Value: "because"}}
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

// TestUnkept: a target that asks for it has an object whose value the server accepts and drops, and
// no object whose value the server refuses.
func TestUnkept(t *testing.T) {
	c, _ := config(t)
	got, err := Specimens(t.Context(), c, []Target{
		{APIVersion: "example.dev/v1", Kind: "Widget", Path: ".spec.dropped", Unkept: true}, {APIVersion: "example.dev/v1", Kind: "Widget", Path: ".spec.never", Unkept: true},
		{APIVersion: "example.dev/v1", Kind: "Widget", Path: ".spec.colour", Unkept: true},
	})
	require.NoError(t, err)
	assert.Contains(t, got[0].Object["spec"], "dropped")
	assert.Equal(t, ".spec.dropped", got[0].Held)
	assert.Nil(t, got[0].Answered)
	assert.Nil(t, got[1].Object)
	assert.Equal(t, "red", got[2].Answered, "a value that is kept is better")
}

// acceptance is the reply of a server that accepts an object, with what its answer shows.
func acceptance(r Reply) Reply { return Reply{Shown: r.Shown} }

// TestServerEnds: an object under which the server ends costs that object alone, also of many that
// are sent at once; without a restart, and after too many of them, the work ends with an error.
func TestServerEnds(t *testing.T) {
	widget := func(path string) Target {
		return Target{APIVersion: "example.dev/v1", Kind: "Widget", Path: path}
	}
	targets := []Target{widget(".spec.deadly")}
	for range 12 {
		targets = append(targets, widget(".spec.size"))
	}
	c, f := config(t)
	got, err := Specimens(t.Context(), c, targets)
	require.NoError(t, err)
	assert.Nil(t, got[0].Object)
	assert.NotEmpty(t, got[0].Reason)
	for _, s := range got[1:] {
		assert.NotNil(t, s.Object)
	}
	assert.Equal(t, 2, f.restarts)

	said, err := Offered(t.Context(), c, offers("deadly", "size", "never"), term.Strict)
	require.NoError(t, err)
	assert.NotEmpty(t, said[0].Refusal)
	assert.Equal(t, acceptance(said[1]), said[1])
	assert.Contains(t, said[2].Refusal, "never again")

	many := []Offer{}
	for range maxRestarts {
		many = append(many, offers("deadly")...)
	}
	_, err = Offered(t.Context(), c, many, term.Strict)
	require.Error(t, err)
	require.ErrorIs(t, err, c.Server.Err())

	c, _ = config(t)
	c.Server.restart = nil
	_, err = Specimens(t.Context(), c, targets)
	require.Error(t, err)
	_, err = Offered(t.Context(), c, nil, term.Strict)
	require.Error(t, err, "it stays")
}

// TestBusyServer: a server that breaks one request off, and lives, costs that object, without a
// restart; one that is busy for a moment costs none.
func TestBusyServer(t *testing.T) {
	c, f := config(t)
	said, err := Offered(t.Context(), c, offers("breaking", "size"), term.Strict)
	require.NoError(t, err)
	assert.NotEmpty(t, said[0].Refusal)
	assert.Equal(t, acceptance(said[1]), said[1])
	f.busy = maxWaits
	said, err = Offered(t.Context(), c, offers("size"), term.Strict)
	require.NoError(t, err)
	assert.Equal(t, acceptance(said[0]), said[0])
	assert.Zero(t, f.restarts)
}

// offers returns widgets with these fields.
func offers(fields ...string) (all []Offer) {
	for _, field := range fields {
		all = append(all, Offer{Object: widgetWith(field)})
	}
	return all
}

// TestUndecided: a server that fails, or stays busy, says nothing of an object, and neither does one
// that lacks the second object. With the second object it accepts the first.
func TestUndecided(t *testing.T) {
	c, f := config(t)
	said, err := Offered(t.Context(), c, offers("failing", "never"), term.Strict)
	require.NoError(t, err)
	assert.True(t, said[0].Undecided)
	assert.False(t, said[1].Undecided)

	second := map[string]any{"apiVersion": "example.dev/v1", "kind": "Widget", "metadata": map[string]any{"name": "second"}, "spec": map[string]any{}}
	missing := map[string]any{"apiVersion": "example.dev/v1", "kind": "Other", "metadata": map[string]any{"name": "second"}}
	needing := widgetWith("needing")
	said, err = Offered(t.Context(), c, []Offer{{needing, []map[string]any{missing}}}, term.Strict)
	require.NoError(t, err)
	assert.Equal(t, []Reply{{Undecided: true}}, said)
	said, err = Offered(t.Context(), c, []Offer{{needing, []map[string]any{second}}}, term.Strict)
	require.NoError(t, err)
	assert.Equal(t, []Reply{acceptance(said[0])}, said)
	assert.Equal(t, "Widget", said[0].Shown["kind"])

	f.busy = 100
	c.Namespace = ""
	said, err = Offered(t.Context(), c, offers("size"), term.Strict)
	require.NoError(t, err)
	assert.Equal(t, []Reply{{Undecided: true}}, said)
}

// TestBrokenSearch: a server that is busy later in a search costs nothing that it accepted before.
func TestBrokenSearch(t *testing.T) {
	c, f := config(t)
	f.answers = 2 // the object, and the one without the field, which gets the same default
	got, err := Specimens(t.Context(), c, []Target{{APIVersion: "example.dev/v1", Kind: "Widget", Path: ".spec.defaulted"}})
	require.NoError(t, err)
	assert.NotNil(t, got[0].Object, got[0].Reason)
}

func widgetWith(field string) map[string]any {
	return map[string]any{"apiVersion": "example.dev/v1", "kind": "Widget", "metadata": map[string]any{"name": "w"}, "spec": map[string]any{field: int64(1)}}
}

// TestLiveNames: the names of live objects do not depend on the order in which they are made.
func TestLiveNames(t *testing.T) {
	one, other := &kind{lives: map[string]*live{}}, &kind{lives: map[string]*live{}}
	a, b := one.liveOf(nil, ".spec.a").label, one.liveOf(map[string]any{"b": "c"}, "").label
	assert.Equal(t, b, other.liveOf(map[string]any{"b": "c"}, "").label)
	assert.Equal(t, a, other.liveOf(nil, ".spec.a").label)
	assert.NotEqual(t, a, b)
}

// TestCanceledSecond: a second object that was not made because its context ended is made by the
// next target.
func TestCanceledSecond(t *testing.T) {
	c, _ := config(t)
	e := newExerciser(c)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.Error(t, e.makeOnce(ended, widgetWith("size")))
	require.NoError(t, e.makeOnce(t.Context(), widgetWith("size")))
}

// TestTimeUp: when the time for making objects is over, what was made stays, and the rest has that reason. A context
// that ends for something else ends the work.
func TestTimeUp(t *testing.T) {
	targets := []Target{{APIVersion: "example.dev/v1", Kind: "Widget", Path: ".spec.size"}}
	for _, cause := range []error{ErrTimeUp, errors.New("interrupted")} {
		c, f := config(t)
		ctx, cancel := context.WithCancelCause(t.Context())
		got, err := Specimens(ctx, c, targets)
		require.NoError(t, err)
		require.NotNil(t, got[0].Object)

		cancel(cause)
		got, err = Specimens(ctx, c, targets)
		assert.Equal(t, cause != ErrTimeUp, err != nil, "%v", err) //nolint:errorlint // this one
		if err == nil {
			assert.Equal(t, []Specimen{{Target: targets[0], Reason: ErrTimeUp.Error()}}, got)
		}
		assert.Zero(t, f.restarts)
	}
}

// TestLiveOfVersions: two versions of a kind have live objects of their own, and so have two hints.
func TestLiveOfVersions(t *testing.T) {
	label := func(apiVersion string, hinted map[string]any) string {
		return (&kind{Resource: published.Resource{APIVersion: apiVersion}, lives: map[string]*live{}}).liveOf(hinted, "").label
	}
	hint := map[string]any{"spec": "x"}
	assert.Equal(t, label("example.dev/v1", nil), label("example.dev/v1", nil))
	assert.NotEqual(t, label("example.dev/v1", nil), label("example.dev/v2", nil))
	assert.NotEqual(t, label("example.dev/v1", hint), label("example.dev/v1", nil))
}
