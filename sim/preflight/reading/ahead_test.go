package reading

import (
	"context"
	"encoding/json"
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

// store answers GETs and LISTs of configuration maps, each with its number as revision.
type store struct {
	mu    sync.Mutex
	gets  int
	tries map[string]int
	// get and item may change what a GET shows, and what a LIST does; nil: nothing.
	get, item func(name string, object map[string]any)
	// refuses reports whether a dry run is refused; nil: none is.
	refuses func(name string) bool
	values  []string // by number
}

func (s *store) object(i int, change func(string, map[string]any)) map[string]any {
	name := fmt.Sprintf("m-%04d", i)
	o := map[string]any{
		"metadata": map[string]any{"name": name, "namespace": "n", "resourceVersion": strconv.Itoa(i + 1)},
		"data":     map[string]any{"a": s.values[i]},
	}
	if change != nil {
		change(name, o)
	}
	return o
}

func (s *store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	switch {
	case r.Method == http.MethodPatch:
		s.tries[name]++
		if s.refuses != nil && s.refuses(name) {
			http.Error(w, "never", http.StatusUnprocessableEntity)
			return
		}
		fmt.Fprint(w, `{}`)
	case name == "configmaps":
		from, _ := strconv.Atoi(r.URL.Query().Get("continue"))
		limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
		meta, items := map[string]any{"resourceVersion": "9999"}, []json.RawMessage{}
		for i := from; i < min(from+limit, len(s.values)); i++ {
			one, _ := json.Marshal(s.object(i, s.item))
			// metadata comes first, as servers write it.
			items = append(items, json.RawMessage(reordered(one)))
		}
		if from+limit < len(s.values) {
			meta["continue"] = strconv.Itoa(from + limit)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"metadata": meta, "items": items})
	default:
		s.gets++
		i, _ := strconv.Atoi(strings.TrimPrefix(name, "m-"))
		one, _ := json.Marshal(s.object(i, s.get))
		fmt.Fprintf(w, `{"kind":"ConfigMap","apiVersion":"v1",%s`, reordered(one)[1:])
	}
}

// reordered is an object with its metadata first.
func reordered(o []byte) []byte {
	var parts map[string]json.RawMessage
	_ = json.Unmarshal(o, &parts)
	meta := parts["metadata"]
	delete(parts, "metadata")
	rest, _ := json.Marshal(parts)
	return []byte(fmt.Sprintf(`{"metadata":%s,%s`, meta, rest[1:]))
}

// taken reads the store with one write.
func (s *store) taken(t *testing.T) (Count, []Record) {
	t.Helper()
	s.tries = map[string]int{}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "records")
	count, err := Take(t.Context(), Config{
		Conn: conn, File: file, Tries: []Write{Label},
		Forms: Forms{" ConfigMap": {APIVersion: "v1", Plural: "configmaps", Namespaced: true, Verbs: []string{"get", "list", "patch", "update"}}},
		Stored: func(_ context.Context, each func(string, []byte, int64) error) error {
			for i := range s.values {
				if err := each(fmt.Sprintf("/registry/configmaps/n/m-%04d", i), []byte(`{"apiVersion":"v1","kind":"ConfigMap"}`), int64(i+1)); err != nil {
					return err
				}
			}
			return nil
		},
	})
	require.NoError(t, err)
	var all []Record
	require.NoError(t, Each(file, func(r *Record) error { all = append(all, *r); return nil }))
	return count, all
}

// TestAhead: pages of a LIST show every object as GETs do, one of which is sent for each shape. What GETs alone, the LIST
// alone, or the LIST of one object has wrong is found: then all are asked for.
func TestAhead(t *testing.T) {
	const n = 2*batch + 10
	more := func(_ string, o map[string]any) { o["more"] = true }
	one := func(name string, o map[string]any) {
		if name == "m-0300" { // whose shape is new
			o["other"] = map[string]any{}
		}
	}
	for name, c := range map[string]struct {
		get, item func(string, map[string]any)
		gets      func(int) bool
		differing int
	}{
		"right":              {nil, nil, func(gets int) bool { return gets == 1 }, 0},
		"GETs are wrong":     {more, nil, func(gets int) bool { return gets >= n }, n},
		"the LIST is wrong":  {nil, more, func(gets int) bool { return gets >= n }, n},
		"one item is wrong":  {nil, one, func(gets int) bool { return gets >= n-batch }, 1},
		"both have one more": {one, one, func(gets int) bool { return gets == 2 }, 0},
	} {
		s := &store{values: make([]string, n), get: c.get, item: c.item}
		count, all := s.taken(t)
		require.Len(t, all, n, name)
		assert.True(t, c.gets(s.gets), "%s: %d GETs", name, s.gets)
		require.Len(t, count.Lists, 1, name)
		assert.Len(t, count.Lists[0].Differing, c.differing, name)
		for _, r := range all {
			assert.True(t, r.Decodes(), name)
			assert.Contains(t, string(r.Object), `"kind":"ConfigMap"`, name)
		}
	}
}
