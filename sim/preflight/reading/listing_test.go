package reading

import (
	"context"
	"fmt"
	"hash/maphash"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/client"
)

// TestHashOf: built-in kinds repeat kind and version in a GET alone, so that both forms are the same object;
// an object with other values is not.
func TestHashOf(t *testing.T) {
	seed := maphash.MakeSeed()
	item := hashOf(seed, []byte(`{"metadata":{"name":"a"},"data":{"k":"v"}}`))
	for object, same := range map[string]bool{
		`{"kind":"A","apiVersion":"v1","metadata":{"name":"a"},"data":{"k":"v"}}`:                          true,
		"\n {\"kind\":\"A\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},\"data\":{\"k\":\"v\"}}\n": true,
		`{"kind":"A","apiVersion":"v1","metadata":{"name":"b"},"data":{"k":"v"}}`:                          false,
		`{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},"data":{"k":"v"}}`:                          false,
	} {
		assert.Equal(t, same, hashOf(seed, []byte(object)) == item, object)
	}
}

// TestIsNewer: revisions are numbers, and one that is no number is newer than any: of it nothing is missing.
func TestIsNewer(t *testing.T) {
	for _, c := range []struct {
		a, b string
		is   bool
	}{{"10", "9", true}, {"9", "10", false}, {"9", "9", false}, {"", "9", true}, {"9", "", true}} {
		assert.Equal(t, c.is, isNewer(c.a, c.b), c.a+" "+c.b)
	}
}

// TestNote: only what is listed and is still there belongs to a LIST, by version and resource; what a GET fails
// for is counted apart.
func TestNote(t *testing.T) {
	form := Form{APIVersion: "v1", Plural: "as", Verbs: []string{"get", "list"}}
	decoded := func(key string) *Record {
		return &Record{Key: key, Kind: "A", Code: http.StatusOK, Object: []byte(`{}`)}
	}
	var c collections
	c.note(Form{APIVersion: "v1", Plural: "bs", Verbs: []string{"get"}}, decoded("no list"), false)
	c.note(form, &Record{Key: "gone", Kind: "A", Gone: true}, false)
	assert.Empty(t, c.of)
	c.note(form, decoded("a"), false)
	c.note(form, &Record{Key: "bad", Kind: "A", Form: "v1", Code: http.StatusInternalServerError, Message: "no"}, false)
	other := form
	other.APIVersion = "v2"
	c.note(other, decoded("b"), false)
	require.Len(t, c.of, 2)
	at := c.of["v1 as"]
	require.NotNil(t, at)
	assert.Equal(t, []int{2, 1, 1}, []int{at.objects, at.unreadable, len(at.observations)})
	assert.Equal(t, "a", at.observations[0].key)
}

// TestListsOf: a record belongs to the LIST of its own version and kind.
func TestListsOf(t *testing.T) {
	all := Listings{{APIVersion: "v1", Kind: "A"}, {APIVersion: "v2", Kind: "A"}, {APIVersion: "v1", Kind: "B"}}
	for i, l := range all {
		assert.Same(t, &all[i], all.Of(&Record{Form: l.APIVersion, Kind: l.Kind}))
	}
	assert.Nil(t, all.Of(&Record{Form: "v2", Kind: "B"}))
}

// TestListThatFails: a LIST that the server refuses, or whose answer has no list, fails; one whose pages the store no longer
// has says nothing.
func TestListThatFails(t *testing.T) {
	for name, c := range map[string]struct {
		code    int
		body    string
		code2   int
		message bool
	}{
		"refused":         {http.StatusInternalServerError, `{"message":"no"}`, http.StatusInternalServerError, true},
		"compacted":       {http.StatusGone, `{"message":"the provided continue parameter is too old"}`, 0, false},
		"no list":         {http.StatusOK, `[`, 0, true},
		"an empty answer": {http.StatusOK, `{}`, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.code)
				fmt.Fprint(w, c.body)
			}))
			defer server.Close()
			conn, err := client.Connect(client.Endpoint{URL: server.URL})
			require.NoError(t, err)
			own := &collection{kind: "A", form: Form{APIVersion: "v1", Plural: "as"}}
			l := listing{collection: own, seed: maphash.MakeSeed(), conn: conn}
			found, err := l.read(t.Context())
			require.NoError(t, err)
			assert.Equal(t, c.code2, found.Code)
			assert.Equal(t, c.message, found.Message != "")
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			_, err = l.read(ended)
			assert.ErrorIs(t, err, context.Canceled)
		})
	}
}
