package reading

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/client"
)

// listedServer serves objects of one shape, a to e, each with its name as value. Get and patched have another value of an object in that
// answer alone, unlisted leaves objects out of the LIST.
type listedServer struct {
	mu       sync.Mutex
	got      []string // by GET
	get      map[string]string
	patched  map[string]string
	unlisted string
	missing  string // is not found but by LIST
	fails    bool   // the LIST
	revision string // of what GETs show
}

func (s *listedServer) object(name, value, revision string) string {
	return fmt.Sprintf(`"metadata":{"name":%q,"namespace":"n","resourceVersion":%q},"data":{"a":%q}}`, name, revision, value)
}

func (s *listedServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	value := func(of map[string]string) string {
		if v := of[name]; v != "" {
			return v
		}
		return name
	}
	switch {
	case name == "as" && s.fails:
		http.Error(w, "no", http.StatusInternalServerError)
	case name == "as":
		var items []string
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			if !strings.Contains(s.unlisted, name) {
				items = append(items, "{"+s.object(name, name, "5"))
			}
		}
		fmt.Fprintf(w, `{"kind":"AList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[%s]}`, strings.Join(items, ","))
	case name == s.missing:
		if r.Method == http.MethodGet {
			s.note(name)
		}
		http.Error(w, "no", http.StatusNotFound)
	case value(s.patched) == "null" && r.Method != http.MethodGet:
		fmt.Fprint(w, "null")
	case r.Method == http.MethodGet:
		s.note(name)
		revision := "5"
		if s.revision != "" {
			revision = s.revision
		}
		fmt.Fprint(w, `{"kind":"A","apiVersion":"v1",`+s.object(name, value(s.get), revision))
	default:
		_, _ = io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, `{"kind":"A","apiVersion":"v1",`+s.object(name, value(s.patched), "5"))
	}
}

func (s *listedServer) note(got string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, got)
}

// take reads a to e from a server.
func (s *listedServer) take(t *testing.T) (Count, map[string]Record) {
	t.Helper()
	server := httptest.NewServer(s)
	defer server.Close()
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "records")
	count, err := Take(t.Context(), Config{
		Conn: conn, File: file, Tries: Writes()[:1],
		Forms: Forms{" A": {APIVersion: "v1", Plural: "as", Namespaced: true, Verbs: []string{"get", "list", "patch"}}},
		Stored: func(_ context.Context, each func(string, []byte, int64) error) error {
			for _, name := range []string{"a", "b", "c", "d", "e"} {
				if err := each("/registry/as/n/"+name, []byte(`{"apiVersion":"v1","kind":"A"}`), 5); err != nil {
					return err
				}
			}
			return nil
		},
	})
	require.NoError(t, err)
	all := map[string]Record{}
	require.NoError(t, Each(file, func(r *Record) error { all[r.Name] = *r; return nil }))
	require.Len(t, all, 5)
	return count, all
}

// TestCandidates: of objects of one shape, one is asked for with a GET, and the others are what a LIST shows, in the words of a GET.
func TestCandidates(t *testing.T) {
	s := &listedServer{}
	count, all := s.take(t)
	assert.Equal(t, []string{"a"}, s.got)
	assert.Equal(t, 1, count.Passes)
	for name, r := range all {
		assert.Equal(t, `{"kind":"A","apiVersion":"v1",`+s.object(name, name, "5"), string(r.Object))
		assert.Equal(t, http.StatusOK, r.Code)
		assert.Len(t, r.Tries, 1)
	}
}

// TestReadSingly: where a GET or a dry run says otherwise than the LIST, every object of the collection is asked for, and what GETs show
// counts. What the LIST does not show, or was written since, is asked for alone.
func TestReadSingly(t *testing.T) {
	every := []string{"a", "b", "c", "d", "e"}
	for name, c := range map[string]struct {
		server *listedServer
		passes int
		asked  []string
		shown  string // the value of c
	}{
		"another one by GET":     {&listedServer{get: map[string]string{"a": "x", "c": "y"}}, 2, every, "y"},
		"another one by dry run": {&listedServer{get: map[string]string{"c": "y"}, patched: map[string]string{"c": "y"}}, 2, every, "y"},
		"what admission changes": {&listedServer{patched: map[string]string{"c": "y"}}, 1, []string{"a", "c"}, "c"},
		"not in the LIST":        {&listedServer{unlisted: "ce"}, 1, []string{"a", "c", "e"}, "c"},
		"no LIST":                {&listedServer{fails: true}, 1, every, "c"},
		"not found":              {&listedServer{missing: "c"}, 2, every, ""},
		"no object":              {&listedServer{patched: map[string]string{"c": "null"}}, 1, []string{"a", "c"}, "c"},
		"written since the LIST": {&listedServer{get: map[string]string{"a": "x"}, revision: "12"}, 1, []string{"a"}, "c"},
	} {
		t.Run(name, func(t *testing.T) {
			count, all := c.server.take(t)
			assert.Equal(t, c.passes, count.Passes)
			assert.Equal(t, c.asked, slices.Compact(slices.Sorted(slices.Values(c.server.got))))
			assert.Equal(t, c.shown != "", all["c"].Decodes())
			if c.shown != "" {
				assert.Contains(t, string(all["c"].Object), fmt.Sprintf(`"a":%q`, c.shown))
			}
		})
	}
}
