package play

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/examples"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/published"
)

// release is a small server: it decodes the stored JSON of some versions, without the fields
// that it does not know.
type release struct {
	versions []string // that it decodes and serves
	unknown  string
	mu       sync.Mutex
	values   map[string][]byte
}

func (s *release) start(t *testing.T) FixtureRelease {
	s.values = map[string][]byte{}
	at := httptest.NewServer(http.HandlerFunc(s.get))
	t.Cleanup(at.Close)
	conn, err := client.Connect(client.Endpoint{URL: at.URL})
	require.NoError(t, err)
	r := FixtureRelease{Server: conn, Put: s.put, Remove: func(_ context.Context, key string) error { return s.put(t.Context(), key, nil) }}
	for _, v := range s.versions {
		r.Resources = append(r.Resources, published.Resource{APIVersion: v, Kind: "Gadget", Plural: "gadgets", Namespaced: true, Verbs: []string{"get"}})
	}
	return r
}

func (s *release) put(_ context.Context, key string, value []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[key] = value
	return nil
}

func (s *release) get(rw http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var object map[string]any
	if !strings.Contains(r.URL.Path, "/namespaces/here/gadgets/one") || json.Unmarshal(s.values["/registry/gadgets/here/one"], &object) != nil {
		rw.WriteHeader(404)
		return
	}
	stored, _ := object["apiVersion"].(string)
	for _, v := range s.versions {
		if v == stored {
			if spec, is := object["spec"].(map[string]any); is {
				delete(spec, s.unknown)
			}
			object["metadata"] = map[string]any{"resourceVersion": r.RemoteAddr}
			_ = json.NewEncoder(rw).Encode(object)
			return
		}
	}
	rw.WriteHeader(500)
	_, _ = rw.Write([]byte(`{"kind":"Status","message":"no kind registered"}`))
}

func fixtures(t *testing.T, r FixtureRelease, stored string, spec string) []Fixture {
	text := []byte(`{"apiVersion":"` + stored + `","kind":"Gadget","spec":` + spec + `}`)
	stubs := examples.Stubs{stored + "/gadgets": {Path: "/registry/gadgets/here/one"}, "v1/widgets": {Path: "/x"}}
	resources := append(r.Resources, published.Resource{APIVersion: "v1", Kind: "Widget", Plural: "widgets"})
	all, without := Fixtures(stubs, map[string]examples.Serialized{stored + " Gadget": {JSON: text, Protobuf: text}}, resources)
	assert.Equal(t, []string{"v1 Widget"}, without)
	require.Len(t, all, 2)
	return all
}

// TestHidden: the fields that only the release which wrote a value shows, however the value is
// encoded, and nothing stays in a store.
func TestHidden(t *testing.T) {
	before, after := &release{versions: []string{"example.dev/v1"}, unknown: "colour"}, &release{versions: []string{"example.dev/v1"}}
	old, new := before.start(t), after.start(t)
	rows, err := ReadFixtures(t.Context(), old, new, nil, fixtures(t, new, "example.dev/v1", `{"colour": "red", "parts": [{"a": 1}]}`))
	require.NoError(t, err)
	require.Len(t, rows, 2)
	for i, encoding := range []term.Encoding{term.Protobuf, term.JSON} {
		assert.Equal(t, encoding, rows[i].Encoding)
		assert.Equal(t, term.New, rows[i].WrittenBy)
		assert.Equal(t, []string{".spec.colour"}, rows[i].Hidden)
		assert.Empty(t, rows[i].Added)
		assert.Empty(t, rows[i].Changed)
		assert.False(t, rows[i].Undecodable())
	}
	assert.Nil(t, before.values["/registry/gadgets/here/one"])

	rows, err = ReadFixtures(t.Context(), new, old, fixtures(t, old, "example.dev/v1", `{"colour": "red"}`), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{".spec.colour"}, rows[0].Hidden)
}

// TestUndecodable: a stored version that the other release does not know.
func TestUndecodable(t *testing.T) {
	before, after := &release{versions: []string{"example.dev/v1alpha1"}}, &release{versions: []string{"example.dev/v1beta1"}}
	old, new := before.start(t), after.start(t)
	rows, err := ReadFixtures(t.Context(), old, new, fixtures(t, old, "example.dev/v1alpha1", `{}`), fixtures(t, new, "example.dev/v1beta1", `{}`))
	require.NoError(t, err)
	require.Len(t, rows, 4)
	for _, row := range rows {
		assert.True(t, row.Undecodable(), row)
	}
	assert.Equal(t, 500, rows[0].Old.Code)
	assert.Equal(t, "no kind registered", rows[0].Old.Message)

	none := FixtureRelease{Server: old.Server, Put: old.Put, Remove: old.Remove}
	rows, err = ReadFixtures(t.Context(), none, new, nil, fixtures(t, new, "example.dev/v1beta1", `{}`))
	require.NoError(t, err)
	assert.False(t, rows[0].Undecodable())
	assert.False(t, rows[0].Old.Served)
}

// mortal is a server that ends under one value, and is started again, as long as it has another one.
type mortal struct {
	FixtureServer
	values *release
	ends   func(values map[string][]byte) bool
}

func (m *mortal) Do(ctx context.Context, r client.Request) client.Answer {
	m.values.mu.Lock()
	ends := strings.HasPrefix(r.Path, "/apis/") && m.ends(m.values.values)
	m.values.mu.Unlock()
	if ends {
		return client.Answer{Err: errors.New("no answer")}
	}
	if r.Path == "/version" {
		return client.Answer{Code: 200}
	}
	return m.FixtureServer.Do(ctx, r)
}

// TestEnds: the value that ends a server is the one under which it ends alone. One that ended only
// beside others, and one whose server does not come back, say nothing.
func TestEnds(t *testing.T) {
	read := func(ends func(values map[string][]byte) bool) []FixtureRow {
		before, after := &release{versions: []string{"example.dev/v1"}}, &release{versions: []string{"example.dev/v1"}}
		old, new := before.start(t), after.start(t)
		old.Server = &mortal{FixtureServer: old.Server, values: before, ends: ends}
		rows, err := ReadFixtures(t.Context(), old, new, nil, fixtures(t, new, "example.dev/v1", `{"colour": "red"}`))
		require.NoError(t, err)
		return rows
	}
	for _, row := range read(func(map[string][]byte) bool { return true }) {
		assert.True(t, row.Old.Ended)
		assert.Equal(t, "/registry/gadgets/here/one", row.Key)
		assert.False(t, row.New.Ended)
	}
	times := 0
	for _, row := range read(func(map[string][]byte) bool { times++; return times < 3 }) {
		assert.False(t, row.Old.Ended)
		assert.True(t, row.Old.Decodes)
	}
}
