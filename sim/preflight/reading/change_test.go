package reading

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
)

// TestChange: an object is written as the reading shows it, without another look. What was written since, what the reading
// does not show, or shows in another version, is read before; what is gone is not written, and what stays refused is told.
func TestChange(t *testing.T) {
	const now = `{"apiVersion":"v1","kind":"A","metadata":{"name":%q,"resourceVersion":"4"}}`
	var mu sync.Mutex
	asked := map[string]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		asked[name] += r.Method + " "
		body, _ := io.ReadAll(r.Body)
		switch {
		case name == "gone":
			http.Error(w, "not found", http.StatusNotFound)
		case r.Method == http.MethodPut && name == "refused":
			http.Error(w, "never", http.StatusUnprocessableEntity)
		case r.Method == http.MethodPut && name == "written" && !strings.Contains(string(body), `"4"`):
			http.Error(w, "conflict", http.StatusConflict)
		case r.Method == http.MethodPut && name == "same":
			_, _ = w.Write(body)
		default:
			fmt.Fprintf(w, now, name)
		}
	}))
	defer server.Close()
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	var all []Record
	for _, name := range []string{"gone", "refused", "same", "unread", "version", "written"} {
		r := Record{Key: "/registry/as/n/" + name, APIVersion: "v1", Kind: "A", Form: "v1", Namespace: "n", Name: name, Revision: 3, Code: http.StatusOK}
		if name == "version" {
			r.Form = "v1beta1"
		}
		if name != "unread" {
			r.Object = fmt.Appendf(nil, `{"apiVersion":"v1","kind":"A","metadata":{"name":%q,"resourceVersion":"3"}}`, name)
		}
		all = append(all, r)
	}
	file := filepath.Join(t.TempDir(), "records")
	require.NoError(t, Keep(file, all))
	failed := map[string]int{}
	forms := Forms{" A": {APIVersion: "v1", Plural: "as", Namespaced: true, Verbs: []string{"get", "update"}}}
	written, err := Change(t.Context(), conn, forms, file, Put, func(r Record, try Try) { failed[r.Name] = try.Code })
	require.NoError(t, err)
	assert.Equal(t, map[string]string{
		"gone": "PUT GET ", "refused": "PUT GET PUT ", "same": "PUT ", "unread": "GET PUT ", "version": "GET PUT ", "written": "PUT GET PUT ",
	}, asked)
	assert.Equal(t, map[string]int{"refused": http.StatusUnprocessableEntity}, failed)
	assert.Equal(t, Written{Sent: 5, Changed: 0}, written)
}

// TestChangeWithoutAnswer: a write that was stored, and had no answer, counts as one that stored another revision, although it
// stores none when it is sent again. Near twin: neither was stored.
func TestChangeWithoutAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		stores int
		want   Written
	}{
		"stored": {1, Written{Sent: 1, Changed: 1}}, "not stored": {0, Written{Sent: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			puts, revision := 0, 3
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				if r.Method == http.MethodPut {
					if puts++; puts == 1 {
						revision += c.stores
						panic(http.ErrAbortHandler)
					}
				}
				fmt.Fprintf(w, `{"apiVersion":"v1","kind":"A","metadata":{"name":"a","resourceVersion":"%d"}}`, revision)
			}))
			defer server.Close()
			conn, err := client.Connect(client.Endpoint{URL: server.URL})
			require.NoError(t, err)
			file := filepath.Join(t.TempDir(), "records")
			require.NoError(t, Keep(file, []Record{{
				Key: "/registry/as/n/a", APIVersion: "v1", Kind: "A", Form: "v1", Namespace: "n", Name: "a", Revision: 3, Code: http.StatusOK,
				Object: []byte(`{"apiVersion":"v1","kind":"A","metadata":{"name":"a","resourceVersion":"3"}}`),
			}}))
			forms := Forms{" A": {APIVersion: "v1", Plural: "as", Namespaced: true, Verbs: []string{"get", "update"}}}
			written, err := Change(t.Context(), conn, forms, file, Put, func(Record, Try) {})
			require.NoError(t, err)
			assert.Equal(t, c.want, written)
		})
	}
}

// TestChangeThatBreaks: where the judge of a write breaks, the error says so, and the process lives on: it has copies to remove.
func TestChangeThatBreaks(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `{}`)
			return
		}
		http.Error(w, "never", http.StatusUnprocessableEntity)
	}))
	defer server.Close()
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "records")
	require.NoError(t, Keep(file, []Record{{Key: "/registry/as/n/a", APIVersion: "v1", Kind: "A", Form: "v1", Namespace: "n", Name: "a", Object: []byte(`{}`)}}))
	forms := Forms{" A": {APIVersion: "v1", Plural: "as", Namespaced: true, Verbs: []string{"get", "update"}}}
	_, err = Change(t.Context(), conn, forms, file, Put, func(Record, Try) { panic("broken") })
	var broken *fault.PanicError
	assert.ErrorAs(t, err, &broken)
}
