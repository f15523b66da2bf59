package reading

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/client"
)

// precedentServer serves objects by the last elements of their keys, and counts the requests that it gets by method and name.
type precedentServer struct {
	mu       sync.Mutex
	values   map[string]value // by key
	requests map[string]int
	gone     []string // names of objects that are stored no more when they are asked for
	unlisted string   // the name of an object that a LIST lacks
	// refuses returns the code of a request that does not succeed, given how many like it came; 0: it succeeds.
	refuses func(request string, count int) int
}

// value is a stored value.
type value struct {
	apiVersion, kind string
	revision         int64
}

func newPrecedentServer() *precedentServer {
	return &precedentServer{requests: map[string]int{}, refuses: func(string, int) int { return 0 }, values: map[string]value{
		"/registry/apiextensions.k8s.io/customresourcedefinitions/as.example.com": {"apiextensions.k8s.io/v1", "CustomResourceDefinition", 2},
		"/registry/apiextensions.k8s.io/customresourcedefinitions/bs.example.com": {"apiextensions.k8s.io/v1", "CustomResourceDefinition", 2},
		"/registry/configmaps/n/parameter":                                        {"v1", "ConfigMap", 2},
		"/registry/example.com/as/n/one":                                          {"example.com/v1", "A", 3},
		"/registry/example.com/as/n/two":                                          {"example.com/v1", "A", 3},
		"/registry/limitranges/n/limits":                                          {"v1", "LimitRange", 2},
		"/registry/secrets/n/secret":                                              {"v1", "Secret", 2},
		"/registry/validatingadmissionpolicies/policy":                            {"admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", 2},
	}}
}

func (s *precedentServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := path.Base(r.URL.Path)
	request := r.Method + " " + name
	s.requests[request]++
	if code := s.refuses(request, s.requests[request]); code != 0 {
		http.Error(w, "no", code)
		return
	}
	if slices.Contains(s.gone, name) {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	var items []string
	for key, v := range s.values {
		shown := fmt.Sprintf(`{"metadata":{"name":%q,"namespace":"n","resourceVersion":"%d"},"spec":{"paramKind":{"apiVersion":"v1","kind":"ConfigMap"}}}`, path.Base(key), v.revision)
		if path.Base(key) == name {
			fmt.Fprint(w, shown)
			return
		}
		if strings.Contains(key, "/"+name+"/") && path.Base(key) != s.unlisted {
			items = append(items, shown)
		}
	}
	fmt.Fprintf(w, `{"metadata":{"resourceVersion":"10"},"items":[%s]}`, strings.Join(items, ","))
}

// take reads everything into a new file, and returns the records by their names.
func (s *precedentServer) take(t *testing.T, before string) (Count, string, map[string]Record) {
	t.Helper()
	server := httptest.NewServer(s)
	defer server.Close()
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "records")
	verbs := []string{"get", "list", "patch"}
	count, err := Take(t.Context(), Config{
		Conn: conn, File: file, Before: before, Tries: []Write{Label},
		Forms: Forms{
			"example.com A": {APIVersion: "example.com/v1", Plural: "as", Namespaced: true, Verbs: verbs, Versions: []string{"example.com/v1"}},
			"admissionregistration.k8s.io ValidatingAdmissionPolicy": {APIVersion: "admissionregistration.k8s.io/v1", Plural: "validatingadmissionpolicies", Verbs: verbs},
		},
		Stored: func(_ context.Context, each func(string, []byte, int64) error) (err error) {
			keys := []string{}
			for key := range s.values {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			for _, key := range keys {
				v := s.values[key]
				err = errors.Join(err, each(key, fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q}`, v.apiVersion, v.kind), v.revision))
			}
			return err
		},
		Has: func(_ context.Context, key string) (bool, error) {
			return !slices.Contains(s.gone, path.Base(key)), nil
		},
	})
	require.NoError(t, err)
	records := map[string]Record{}
	require.NoError(t, Each(file, func(r *Record) error { records[r.Name] = *r; return nil }))
	return count, file, records
}

// TestStaleRules: a second object that was permitted is asked for again if its definition was written since, or anything that
// may decide about it. Near twins: another definition, an object that decides nothing, and nothing.
func TestStaleRules(t *testing.T) {
	const limits = "/registry/limitranges/n/limits"
	written := func(key string) func(*precedentServer) {
		return func(s *precedentServer) {
			v, stored := s.values[key]
			require.True(t, stored)
			v.revision = 9
			s.values[key] = v
		}
	}
	for name, c := range map[string]struct {
		later func(*precedentServer)
		again bool
	}{
		"nothing":              {func(*precedentServer) {}, false},
		"another definition":   {written("/registry/apiextensions.k8s.io/customresourcedefinitions/bs.example.com"), false},
		"a secret":             {written("/registry/secrets/n/secret"), false},
		"the definition":       {written("/registry/apiextensions.k8s.io/customresourcedefinitions/as.example.com"), true},
		"limits":               {written(limits), true},
		"limits are gone":      {func(s *precedentServer) { delete(s.values, limits) }, true},
		"a quota is new":       {func(s *precedentServer) { s.values["/registry/resourcequotas/n/q"] = value{"v1", "ResourceQuota", 9} }, true},
		"a policy":             {written("/registry/validatingadmissionpolicies/policy"), true},
		"a policy's parameter": {written("/registry/configmaps/n/parameter"), true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newPrecedentServer()
			_, before, _ := s.take(t, "")
			clear(s.requests)
			c.later(s)
			s.refuses = func(request string, _ int) int {
				if request == "PATCH two" {
					return http.StatusUnprocessableEntity
				}
				return 0
			}
			count, _, records := s.take(t, before)
			assert.Equal(t, c.again, slices.ContainsFunc(records["two"].Tries, Try.Refused))
			assert.Equal(t, c.again, s.requests["PATCH two"] > 0)
			assert.Equal(t, 1, count.Passes)
		})
	}
}

// TestProbeThatIsGone: an object that was deleted before it was asked for vouches for no other one. Near twin: it is there.
func TestProbeThatIsGone(t *testing.T) {
	for name, gone := range map[string][]string{"gone": {"one"}, "there": nil} {
		t.Run(name, func(t *testing.T) {
			s := newPrecedentServer()
			_, before, _ := s.take(t, "")
			clear(s.requests)
			s.gone = gone
			s.refuses = func(request string, _ int) int {
				if request == "PATCH two" {
					return http.StatusUnprocessableEntity
				}
				return 0
			}
			_, _, records := s.take(t, before)
			assert.Equal(t, gone != nil, slices.ContainsFunc(records["two"].Tries, Try.Refused))
		})
	}
}

// TestStoredAndNotFound: an object that neither LIST nor GET shows, and that is stored, does not decode, whatever was read
// before. Near twin: it was deleted in between.
func TestStoredAndNotFound(t *testing.T) {
	for name, gone := range map[string][]string{"stored": nil, "deleted": {"two"}} {
		t.Run(name, func(t *testing.T) {
			s := newPrecedentServer()
			_, before, _ := s.take(t, "")
			s.gone, s.unlisted = gone, "two"
			s.refuses = func(request string, _ int) int {
				if request == "GET two" {
					return http.StatusNotFound
				}
				return 0
			}
			_, _, records := s.take(t, before)
			assert.Equal(t, gone != nil, records["two"].Decodes())
			if gone == nil {
				assert.Equal(t, http.StatusNotFound, records["two"].Code)
			}
		})
	}
}

// TestReadAgain: what the server refused or failed to show in the first pass alone is kept, as undecided, and the first pass in
// a file of its own. Near twin: a server that does as before is asked in one pass.
func TestReadAgain(t *testing.T) {
	for request, want := range map[string]Write{"GET one": Get, "PATCH one": Label, "GET as": "", "": ""} {
		t.Run(request, func(t *testing.T) {
			s := newPrecedentServer()
			_, before, _ := s.take(t, "")
			clear(s.requests)
			s.refuses = func(r string, count int) int {
				if r == request && count == 1 {
					return http.StatusTeapot
				}
				return 0
			}
			count, file, records := s.take(t, before)
			one := records["one"]
			assert.True(t, one.Decodes())
			at := slices.IndexFunc(one.Tries, Try.Unanswered)
			require.Equal(t, want != "", at >= 0)
			if at >= 0 {
				got := one.Tries[at]
				assert.Equal(t, want, got.Write)
				assert.Equal(t, http.StatusTeapot, got.Code)
				assert.True(t, got.Again)
				assert.False(t, got.Refused())
			}
			assert.Equal(t, request == "GET as", slices.ContainsFunc(count.Lists, func(l Listing) bool { return l.Fails() && l.Again }))
			_, err := os.Stat(file + ".1")
			if request == "" {
				assert.Equal(t, 1, count.Passes)
				assert.ErrorIs(t, err, os.ErrNotExist)
				return
			}
			assert.Equal(t, 2, count.Passes)
			assert.NoError(t, err)
		})
	}
}

// TestKeepFirst: of two passes a record has what the first one was refused or warned of, unless the second one says the same. What
// decided nothing is not kept.
func TestKeepFirst(t *testing.T) {
	accepted, refused := Try{Write: Put, Code: http.StatusOK}, Try{Write: Put, Code: http.StatusUnprocessableEntity, Message: "no"}
	busy, warned := Try{Write: Put, Code: http.StatusTooManyRequests, Message: "busy"}, Try{Write: Put, Code: http.StatusOK, Warning: "w"}
	contradicted := refused
	contradicted.Again = true
	for name, c := range map[string]struct{ first, now, want []Try }{
		"refused, then accepted":      {[]Try{refused}, []Try{accepted}, []Try{contradicted}},
		"refused twice":               {[]Try{refused}, []Try{refused}, []Try{refused}},
		"refused, then not sent":      {[]Try{refused}, nil, []Try{refused}},
		"refused in the second alone": {[]Try{accepted}, []Try{refused}, []Try{refused}},
		"busy, then accepted":         {[]Try{busy}, []Try{accepted}, []Try{accepted}},
		"warned once":                 {[]Try{warned}, []Try{accepted}, []Try{warned}},
		"contradicted before":         {[]Try{contradicted}, []Try{accepted}, []Try{contradicted}},
	} {
		r := Record{Form: "v1", Object: []byte(`{}`), Tries: slices.Clone(c.now)}
		r.keep(&Record{Form: "v1", Object: []byte(`{}`), Tries: c.first})
		assert.Equal(t, c.want, r.Tries, name)
	}
	all := Listings{{APIVersion: "v1", Kind: "A", Missing: []string{"b"}}, {APIVersion: "v1", Kind: "B"}}
	all.keep(Listings{{APIVersion: "v1", Kind: "A", Missing: []string{"a", "b"}, Differing: []string{"c"}}})
	assert.Equal(t, Listings{{APIVersion: "v1", Kind: "A", Missing: []string{"a", "b"}, Differing: []string{"c"}}, {APIVersion: "v1", Kind: "B"}}, all)
}
