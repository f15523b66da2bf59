package reading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/client"
)

// TestTake: a GET that fails is recorded, one that meets a busy server and a write that meets another
// one are repeated, and objects of one shape share writes only while these succeed.
func TestTake(t *testing.T) {
	var mu sync.Mutex
	sent := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		sent[r.Method+" "+name]++
		first := sent[r.Method+" "+name] == 1
		mu.Unlock()
		switch {
		case name == "broken":
			http.Error(w, "no", http.StatusInternalServerError)
		case name == "busy" && r.Method == "GET" && first:
			http.Error(w, "later", http.StatusTooManyRequests)
		case name == "busy" && r.Method == "PUT" && first:
			http.Error(w, "conflict", http.StatusConflict)
		case strings.HasPrefix(name, "bad") && r.Method == "PUT":
			http.Error(w, "never", http.StatusUnprocessableEntity)
		case strings.HasPrefix(name, "bad"):
			fmt.Fprintf(w, `{"metadata":{"name":%q},"bad":{}}`, name)
		default:
			fmt.Fprintf(w, `{"metadata":{"name":%q}}`, name)
		}
	}))
	defer server.Close()
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "records")
	take := func(names ...string) (count Count) {
		for _, part := range names { // one file for each, so that shapes are known in order
			_ = os.Remove(file)
			count, err = Take(t.Context(), Config{
				Conn: conn, File: file, Tries: []Write{Label, Put},
				Forms: Forms{" A": {APIVersion: "v1", Plural: "as", Namespaced: true, Verbs: []string{"get", "patch", "update"}}},
				Stored: func(_ context.Context, each func(string, []byte, int64) error) error {
					for _, name := range strings.Split(part, ",") {
						if err := each("/registry/as/n/"+name, []byte(`{"apiVersion":"v1","kind":"A"}`), 3); err != nil {
							return err
						}
					}
					return nil
				},
			})
			require.NoError(t, err)
		}
		return count
	}
	take("broken,busy")
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	var all []Record
	require.NoError(t, Each(file, func(r *Record) error { all = append(all, *r); return nil }))
	assert.True(t, all[0].Fails())
	assert.Equal(t, "n", all[0].Namespace)
	assert.True(t, all[1].Decodes())
	require.Len(t, all[1].Tries, 2)
	assert.False(t, all[1].Tries[1].Refused())
	assert.Equal(t, 2, sent["PUT busy"])

	many := strings.TrimSuffix(strings.Repeat("good,", 2*batch), ",")
	count := take(many)
	assert.GreaterOrEqual(t, count.Shared, batch, "the second batch knows the shape of the first one")
	assert.Equal(t, 4*batch, count.Tried+count.Shared)
	count = take(strings.ReplaceAll(many, "good", "bad"))
	assert.Zero(t, count.Shared, "a refused write is shared")
	_, err = Take(t.Context(), Config{File: file})
	assert.ErrorIs(t, err, os.ErrExist)
}

// TestTakeInOrder: of objects of one shape, the first one in the order of keys gets all writes, whatever
// answer comes first; if they are not accepted, the next one does.
func TestTakeInOrder(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		if r.Method == http.MethodGet && name < "c" {
			time.Sleep(20 * time.Millisecond) // the later ones are read first
		}
		if name == "gone" || name == "missing" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		if r.Method == http.MethodPut && name == "a" {
			w.WriteHeader(http.StatusUnprocessableEntity)
			return
		}
		fmt.Fprintf(w, `{"metadata":{"name":%q}}`, name)
	}))
	defer server.Close()
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "records")
	_, err = Take(t.Context(), Config{
		Conn: conn, File: file, Tries: []Write{Label, Put},
		Forms: Forms{" A": {APIVersion: "v1", Plural: "as", Namespaced: true, Verbs: []string{"get", "patch", "update"}}},
		Stored: func(_ context.Context, each func(string, []byte, int64) error) (err error) {
			for _, name := range []string{"a", "b", "c", "d", "gone", "missing"} {
				err = errors.Join(err, each("/registry/as/n/"+name, []byte(`{"apiVersion":"v1","kind":"A"}`), 3))
			}
			return err
		},
		Has: func(_ context.Context, key string) (bool, error) { return !strings.HasSuffix(key, "/gone"), nil },
	})
	require.NoError(t, err)
	tried, gone := map[string]int{}, []string{}
	require.NoError(t, Each(file, func(r *Record) error {
		tried[r.Name] = len(r.Tries)
		if r.Gone {
			gone = append(gone, r.Name)
		}
		return nil
	}))
	assert.Equal(t, map[string]int{"a": 2, "b": 2, "c": 1, "d": 1, "gone": 0, "missing": 0}, tried)
	assert.Equal(t, []string{"gone"}, gone)
}

// TestTakePods: the Pod of each template is tried, although objects of equal shape share their other writes: unless
// a Pod with the same values was accepted in the namespace.
func TestTakePods(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		policy, _, _ := strings.Cut(name, "-")
		switch {
		case r.Method == http.MethodPost && strings.Contains(string(body), "bad"):
			http.Error(w, "never", http.StatusUnprocessableEntity)
		default:
			fmt.Fprintf(w, `{"metadata":{"name":%q},"spec":{"template":{"metadata":{"labels":{"a":%[1]q}},"spec":{"containers":[{"name":"c","policy":%q}]}}}}`, name, policy)
		}
	}))
	defer server.Close()
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "records")
	_, err = Take(t.Context(), Config{
		Conn: conn, File: file, Tries: []Write{Label, Put, Template},
		Forms: Forms{" A": {APIVersion: "v1", Plural: "as", Namespaced: true, Verbs: []string{"get", "patch", "update"}}},
		Stored: func(_ context.Context, each func(string, []byte, int64) error) (err error) {
			for _, name := range []string{"m/good-1", "m/good-2", "n/bad-3", "n/bad-4", "n/good-5", "n/good-6"} {
				err = errors.Join(err, each("/registry/as/"+name, []byte(`{"apiVersion":"v1","kind":"A"}`), 3))
			}
			return err
		},
	})
	require.NoError(t, err)
	tried := map[string]string{}
	require.NoError(t, Each(file, func(r *Record) error {
		for _, try := range r.Tries {
			tried[r.Name] += fmt.Sprintf("%s %d ", try.Write, try.Code)
		}
		return nil
	}))
	assert.Equal(t, map[string]string{
		"good-1": "label 200 put 200 template 200 ", "good-2": "label 200 ", "bad-3": "label 200 template 422 ", "bad-4": "label 200 template 422 ",
		"good-5": "label 200 template 200 ", "good-6": "label 200 ",
	}, tried)
}

// TestTakeVersions: a custom resource that is stored in another version now is read in the version of an
// earlier reading, so that both can be compared; in its own if the server does not serve that one.
func TestTakeVersions(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"apiVersion":%q}`, strings.TrimPrefix(strings.TrimSuffix(r.URL.Path[:strings.Index(r.URL.Path, "/as")], "/namespaces/n"), "/apis/"))
	}))
	defer server.Close()
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	const before, gone = "/registry/a.example.com/as/n/before", "/registry/a.example.com/as/n/gone"
	file := filepath.Join(t.TempDir(), "records")
	_, err = Take(t.Context(), Config{
		Conn: conn, File: file, Versions: map[string]string{before: "a.example.com/v1beta1", gone: "a.example.com/v1alpha1"},
		Forms: Forms{"a.example.com A": {APIVersion: "a.example.com/v1", Plural: "as", Namespaced: true, Verbs: []string{"get"}, Versions: []string{"a.example.com/v1", "a.example.com/v1beta1"}}},
		Stored: func(_ context.Context, each func(string, []byte, int64) error) error {
			stored := []byte(`{"apiVersion":"a.example.com/v1","kind":"A"}`)
			return errors.Join(each(before, stored, 3), each(gone, stored, 3))
		},
	})
	require.NoError(t, err)
	var forms, shown []string
	require.NoError(t, Each(file, func(r *Record) error {
		assert.True(t, r.IsCustom())
		forms, shown = append(forms, r.Form), append(shown, string(r.Object))
		return nil
	}))
	assert.Equal(t, []string{"a.example.com/v1beta1", "a.example.com/v1"}, forms)
	assert.Equal(t, []string{`{"apiVersion":"a.example.com/v1beta1"}`, `{"apiVersion":"a.example.com/v1"}`}, shown)
}

// TestCompare: two files are compared by key, whatever one of them lacks.
func TestCompare(t *testing.T) {
	write := func(keys string) string {
		name := filepath.Join(t.TempDir(), "records")
		f, err := create(name)
		require.NoError(t, err)
		for _, k := range strings.Fields(keys) {
			require.NoError(t, f.json.Encode(Record{Key: k}))
		}
		require.NoError(t, f.close())
		return name
	}
	for _, c := range []struct{ first, second, want string }{
		{"a b", "a b", "a=a b=b "}, {"a c", "b d", "a- -b c- -d "}, {"", "a", "-a "}, {"a b c", "c", "a- b- c=c "}, {"", "", ""},
	} {
		got := ""
		require.NoError(t, Compare(write(c.first), write(c.second), func(a, b *Record) error {
			switch {
			case a == nil:
				got += "-" + b.Key + " "
			case b == nil:
				got += a.Key + "- "
			default:
				got += a.Key + "=" + b.Key + " "
			}
			return nil
		}))
		assert.Equal(t, c.want, got)
	}
}

// TestShape: other values have the same shape; another field, also an empty one, has not.
func TestShape(t *testing.T) {
	shape := func(v any) string { return Shape("A", map[string]any{"spec": v}) }
	assert.Equal(t, shape(map[string]any{"a": "1"}), shape(map[string]any{"a": "2"}))
	assert.NotEqual(t, shape(map[string]any{"a": "1"}), shape(map[string]any{"a": "1", "b": map[string]any{}}))
	assert.NotEqual(t, shape([]any{}), shape([]any{"a"}))
}

// TestTakeBefore: of a value that is still stored as it was, a server of the same release is asked neither for the object nor for
// what it permitted, but for the first of its kind. What it refused is sent again, and so is what was written since. Where the
// first one, or the LIST, is another one than before, all of the kind is asked for anew, and every kind where it is refused.
func TestTakeBefore(t *testing.T) {
	const bad, first, good, written, one, two = "bad", "first", "good", "written", "other-1", "other-2"
	asked := func(reads, writes int) [2]int { return [2]int{reads, writes} }
	of := func(a, b, c, d, e, f [2]int) map[string][2]int {
		return map[string][2]int{first: a, bad: b, good: c, written: d, one: e, two: f}
	}
	same := of(asked(1, 1), asked(1, 1), asked(0, 0), asked(1, 1), asked(1, 1), asked(0, 0))
	looked := of(asked(1, 1), asked(1, 1), asked(1, 0), asked(1, 1), asked(1, 1), asked(0, 0))
	anew := of(asked(2, 2), asked(2, 2), asked(1, 1), asked(2, 2), asked(2, 2), asked(0, 0))
	all := of(asked(2, 2), asked(2, 2), asked(1, 1), asked(2, 2), asked(2, 2), asked(1, 1))
	for name, c := range map[string]struct {
		later func(s *beforeServer)
		want  map[string][2]int
		shows string // of the object that was good
	}{
		"the same":                          {func(*beforeServer) {}, same, "x"},
		"written after the bytes were read": {func(s *beforeServer) { s.revisions[good] = "9" }, looked, "x"},
		"LIST shows another value":          {func(s *beforeServer) { s.values[good] = "y" }, anew, "y"},
		"LIST fails":                        {func(s *beforeServer) { s.fails = true }, anew, "x"},
		"GET shows another value":           {func(s *beforeServer) { s.values[first] = "y" }, anew, "x"},
		"the first one is refused":          {func(s *beforeServer) { s.refused = append(s.refused, first, good) }, all, "x"},
		"the first one is warned of":        {func(s *beforeServer) { s.warned = true }, all, "x"},
		"an object is gone for LIST alone":  {func(s *beforeServer) { s.unlisted = good }, looked, "x"},
		"an object is gone for GET too":     {func(s *beforeServer) { s.unlisted, s.broken = good, good }, of(asked(2, 2), asked(2, 2), asked(2, 0), asked(2, 2), asked(2, 2), asked(0, 0)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := &beforeServer{
				names: []string{bad, first, good, written, one, two}, values: map[string]string{}, revisions: map[string]string{}, refused: []string{bad},
				reads: map[string]int{}, writes: map[string]int{},
			}
			dir := t.TempDir()
			s.take(t, filepath.Join(dir, "first"), "")
			clear(s.reads)
			clear(s.writes)
			s.revisions[written] = "4"
			c.later(s)
			s.take(t, filepath.Join(dir, "second"), filepath.Join(dir, "first"))
			got := map[string][2]int{}
			for _, name := range s.names {
				got[name] = asked(s.reads[name], s.writes[name])
			}
			assert.Equal(t, c.want, got)
			require.NoError(t, Each(filepath.Join(dir, "second"), func(r *Record) error {
				if r.Name == good {
					assert.Equal(t, c.shows, strings.Trim(string(r.Object[max(0, len(r.Object)-4):]), `"}`))
					assert.Equal(t, slices.Contains(s.refused, good), slices.ContainsFunc(r.Tries, Try.Refused))
				}
				return nil
			}))
		})
	}
}

// beforeServer shows objects of two kinds, in revision 3 unless it says another, and counts what it is asked.
type beforeServer struct {
	mu                sync.Mutex
	names, refused    []string
	values, revisions map[string]string
	fails, warned     bool   // the LIST, and every write
	unlisted, broken  string // the object that the LIST lacks, and that a GET fails for
	reads, writes     map[string]int
}

func (s *beforeServer) object(name string) string {
	return fmt.Sprintf(`{"metadata":{"name":%q,"namespace":"n","resourceVersion":%q},"v":%q}`, name, cmp.Or(s.revisions[name], "3"), cmp.Or(s.values[name], "x"))
}

func (s *beforeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	switch {
	case name == "as" && s.fails, name == s.broken && r.Method == http.MethodGet:
		s.reads[name]++
		http.Error(w, "no", http.StatusTeapot)
	case name == "as", name == "os":
		var items []string
		for _, name := range s.names {
			if name != s.unlisted && strings.HasPrefix(name, "o") == (path.Base(r.URL.Path) == "os") {
				items = append(items, s.object(name))
			}
		}
		fmt.Fprintf(w, `{"metadata":{"resourceVersion":"10"},"items":[%s]}`, strings.Join(items, ","))
	case r.Method == http.MethodGet:
		s.reads[name]++
		fmt.Fprint(w, s.object(name))
	case slices.Contains(s.refused, name):
		s.writes[name]++
		http.Error(w, "never", http.StatusUnprocessableEntity)
	default:
		s.writes[name]++
		if s.warned {
			w.Header().Set("Warning", `299 - "AdmissionPolicy"`)
		}
		fmt.Fprint(w, s.object(name))
	}
}

func (s *beforeServer) take(t *testing.T, file, before string) {
	server := httptest.NewServer(s)
	defer server.Close()
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	_, err = Take(t.Context(), Config{
		Conn: conn, File: file, Before: before, Tries: []Write{Label},
		Forms: Forms{
			" A": {APIVersion: "v1", Plural: "as", Namespaced: true, Verbs: []string{"get", "list", "patch", "update"}},
			" O": {APIVersion: "v1", Plural: "os", Namespaced: true, Verbs: []string{"get", "list", "patch", "update"}},
		},
		Stored: func(_ context.Context, each func(string, []byte, int64) error) (err error) {
			for _, name := range s.names {
				if strings.HasPrefix(name, "o") {
					err = errors.Join(err, each("/registry/os/n/"+name, []byte(`{"apiVersion":"v1","kind":"O"}`), 3))
					continue
				}
				revision := int64(3)
				if name == "written" && before != "" {
					revision = 4
				}
				err = errors.Join(err, each("/registry/as/n/"+name, []byte(`{"apiVersion":"v1","kind":"A"}`), revision))
			}
			return err
		},
	})
	require.NoError(t, err)
}
