package reading

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/client"
)

// TestKeyWithoutName: the path of an object without a name is that of the collection: the LIST that a server answers is
// no object, and nothing is written there.
func TestKeyWithoutName(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			t.Errorf("%s %s", r.Method, r.URL.Path)
		}
		fmt.Fprint(w, `{"kind":"AList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[]}`)
	}))
	defer server.Close()
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	for _, key := range []string{"/registry/as/n/", "/registry/as/", "/registry/as//"} {
		file := filepath.Join(t.TempDir(), "records")
		_, err = Take(t.Context(), Config{
			Conn: conn, File: file, Tries: Writes(),
			Forms: Forms{" A": {APIVersion: "v1", Plural: "as", Namespaced: true, Verbs: []string{"get", "list", "patch", "update"}}},
			Stored: func(_ context.Context, each func(string, []byte, int64) error) error {
				return each(key, []byte(`{"apiVersion":"v1","kind":"A"}`), 3)
			},
			Has: func(context.Context, string) (bool, error) { return true, nil },
		})
		require.NoError(t, err)
		require.NoError(t, Each(file, func(r *Record) error {
			assert.False(t, r.Decodes(), "%s: %s", key, r.Object)
			assert.False(t, r.Gone, key)
			return nil
		}))
	}
}

// TestLargePages: a page of a LIST that no answer comes for is asked for with fewer objects: of large objects, many make an
// answer that is too long.
func TestLargePages(t *testing.T) {
	const objects, most = 300, 50
	var mu sync.Mutex
	gets := 0
	object := func(i int) string {
		return fmt.Sprintf(`"metadata":{"name":"a-%03d","namespace":"n","resourceVersion":"5"}}`, i)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		if name != "as" {
			if r.Method == http.MethodGet {
				mu.Lock()
				gets++
				mu.Unlock()
			}
			i, _ := strconv.Atoi(strings.TrimPrefix(name, "a-"))
			fmt.Fprint(w, `{"kind":"A","apiVersion":"v1",`+object(i))
			return
		}
		limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
		if limit > most {
			panic(http.ErrAbortHandler) // the connection ends
		}
		from, _ := strconv.Atoi(r.URL.Query().Get("continue"))
		var items []string
		for i := from; i < min(from+limit, objects); i++ {
			items = append(items, "{"+object(i))
		}
		more := ""
		if from+limit < objects {
			more = strconv.Itoa(from + limit)
		}
		fmt.Fprintf(w, `{"kind":"AList","apiVersion":"v1","metadata":{"resourceVersion":"9","continue":%q},"items":[%s]}`, more, strings.Join(items, ","))
	}))
	defer server.Close()
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	count, err := Take(t.Context(), Config{
		Conn: conn, File: filepath.Join(t.TempDir(), "records"), Tries: Writes()[:1],
		Forms: Forms{" A": {APIVersion: "v1", Plural: "as", Namespaced: true, Verbs: []string{"get", "list", "patch"}}},
		Stored: func(_ context.Context, each func(string, []byte, int64) error) error {
			for i := range objects {
				if err := each(fmt.Sprintf("/registry/as/n/a-%03d", i), []byte(`{"apiVersion":"v1","kind":"A"}`), 5); err != nil {
					return err
				}
			}
			return nil
		},
	})
	require.NoError(t, err)
	assert.Equal(t, Listings{{APIVersion: "v1", Kind: "A", Objects: objects}}, count.Lists)
	assert.Equal(t, 1, gets, "the LIST shows the others")
}
