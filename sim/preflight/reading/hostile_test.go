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

// pagedServer serves objects of one kind in pages, and breaks the connection for pages of more than most objects.
type pagedServer struct {
	mu                     sync.Mutex
	objects, most, size    int
	gets, refused, longest int // requests for an object, pages that were refused, and the bytes of the longest page
}

func (s *pagedServer) object(i int) string {
	return fmt.Sprintf(`"metadata":{"name":"a-%04d","namespace":"n","resourceVersion":"5"},"data":{"a":%q}}`, i, strings.Repeat("x", s.size))
}

func (s *pagedServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	if name != "as" {
		if r.Method == http.MethodGet {
			s.gets++
		}
		i, _ := strconv.Atoi(strings.TrimPrefix(name, "a-"))
		fmt.Fprint(w, `{"kind":"A","apiVersion":"v1",`+s.object(i))
		return
	}
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	if limit > s.most {
		s.refused++
		panic(http.ErrAbortHandler) // the connection ends
	}
	from, _ := strconv.Atoi(r.URL.Query().Get("continue"))
	var items []string
	for i := from; i < min(from+limit, s.objects); i++ {
		items = append(items, "{"+s.object(i))
	}
	more := ""
	if from+limit < s.objects {
		more = strconv.Itoa(from + limit)
	}
	page := fmt.Sprintf(`{"kind":"AList","apiVersion":"v1","metadata":{"resourceVersion":"9","continue":%q},"items":[%s]}`, more, strings.Join(items, ","))
	s.longest = max(s.longest, len(page))
	fmt.Fprint(w, page)
}

// TestLargePages: a page of a LIST that no answer comes for is asked for with fewer objects, and of large objects few are asked
// for at once.
func TestLargePages(t *testing.T) {
	for name, s := range map[string]*pagedServer{
		"too long an answer": {objects: 1000, most: 50},
		"large objects":      {objects: 200, most: maxLimit, size: 100 << 10},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(s)
			defer server.Close()
			conn, err := client.Connect(client.Endpoint{URL: server.URL})
			require.NoError(t, err)
			count, err := Take(t.Context(), Config{
				Conn: conn, File: filepath.Join(t.TempDir(), "records"), Tries: Writes()[:1],
				Forms: Forms{" A": {APIVersion: "v1", Plural: "as", Namespaced: true, Verbs: []string{"get", "list", "patch"}}},
				Stored: func(_ context.Context, each func(string, []byte, int64) error) error {
					for i := range s.objects {
						if err := each(fmt.Sprintf("/registry/as/n/a-%04d", i), []byte(`{"apiVersion":"v1","kind":"A"}`), 5); err != nil {
							return err
						}
					}
					return nil
				},
			})
			require.NoError(t, err)
			assert.Equal(t, Listings{{APIVersion: "v1", Kind: "A", Objects: s.objects}}, count.Lists)
			assert.Equal(t, 1, s.gets, "the LIST shows the others")
			assert.Less(t, s.refused, 30, "one page of each of two LISTs, which the transport sends again, and not each page")
			assert.LessOrEqual(t, s.longest, 3*pageBytes)
		})
	}
}
