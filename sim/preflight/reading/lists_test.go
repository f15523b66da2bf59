package reading

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/client"
)

// TestLists: a LIST is read to its last page, in whatever order; of its items only those differ that have
// another value in the same revision, and only what is older than the LIST can be missing.
func TestLists(t *testing.T) {
	object := func(name, revision, value string) string {
		return fmt.Sprintf(`{"metadata":{"name":%q,"namespace":"n","resourceVersion":%q},"data":{"a":%q}}`, name, revision, value)
	}
	gets := map[string]string{
		"a": object("a", "1", "x"), "b": object("b", "2", "x"), "c": object("c", "3", "x"), "d": object("d", "4", "x"), "late": object("late", "99", "x"), "written": object("written", "98", "y"),
	}
	pages := map[string]string{
		"":     `{"metadata":{"continue":"more","resourceVersion":"50"},"items":[` + object("b", "2", "x") + "," + object("a", "1", "x") + `]}`,
		"more": `{"metadata":{"resourceVersion":"50"},"items":[` + object("c", "3", "otherwise") + "," + object("new", "40", "z") + "," + object("written", "5", "x") + `]}`,
	}
	var decoded atomic.Int64
	failing := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		switch {
		case name == "as" && failing["list"], name == "bad":
			http.Error(w, "no", http.StatusInternalServerError)
		case name == "as":
			assert.NotEmpty(t, r.URL.Query().Get("limit"))
			fmt.Fprint(w, pages[r.URL.Query().Get("continue")])
		default:
			decoded.Add(1)
			fmt.Fprintln(w, `{"kind":"A","apiVersion":"v1",`+gets[name][1:])
		}
	}))
	defer server.Close()
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	take := func(names ...string) Listing {
		decoded.Store(0)
		count, err := Take(t.Context(), Config{
			Conn: conn, File: filepath.Join(t.TempDir(), "records"),
			Forms: Forms{" A": {APIVersion: "v1", Plural: "as", Namespaced: true, Verbs: []string{"get", "list"}}},
			Stored: func(_ context.Context, each func(string, []byte, int64) error) error {
				for _, name := range names {
					if err := each("/registry/as/n/"+name, []byte(`{"apiVersion":"v1","kind":"A"}`), 3); err != nil {
						return err
					}
				}
				return nil
			},
		})
		require.NoError(t, err)
		require.Len(t, count.Lists, 1)
		assert.Same(t, &count.Lists[0], count.Lists.Of(&Record{Form: "v1", Kind: "A"}))
		return count.Lists[0]
	}
	found := take("a", "b", "c", "d", "late", "written")
	assert.Equal(t, Listing{APIVersion: "v1", Kind: "A", Objects: 6, Differing: []string{"/registry/as/n/c"}, Missing: []string{"/registry/as/n/d"}}, found)
	pages[""], pages["more"] = strings.Replace(pages["more"], "otherwise", "x", 1), ""
	take("c")
	assert.EqualValues(t, 1, decoded.Load(), "an identical item is not asked for again")
	failing["list"] = true
	found = take("a", "bad")
	assert.True(t, found.Fails())
	assert.Equal(t, 1, found.Unreadable)
	assert.Equal(t, http.StatusInternalServerError, found.Code)
}
