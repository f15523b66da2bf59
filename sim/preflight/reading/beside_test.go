package reading

import (
	"context"
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

	"github.com/skewsim/skewsim/sim/client"
)

// takeBeside has a server read two custom resources of one shape. Refuses says which bodies of writes it refuses.
func takeBeside(t *testing.T, file, earlier string, refuses func(method, name, body string) bool) map[string][]Try {
	t.Helper()
	objects := map[string]string{
		"harm": `{"apiVersion":"a.io/v1","kind":"A","metadata":{"name":"harm"},"spec":{"a":["x","y"],"b":["x","x"],"note":"n"}}`,
		"near": `{"apiVersion":"a.io/v1","kind":"A","metadata":{"name":"near"},"spec":{"a":["x","y"],"b":["y","x"],"note":"n"}}`,
	}
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		body, _ := io.ReadAll(r.Body)
		switch {
		case r.Method == http.MethodGet && objects[name] != "":
			fmt.Fprint(w, objects[name])
		case r.Method == http.MethodGet:
			fmt.Fprint(w, `{"metadata":{},"items":[]}`)
		case r.URL.Query().Get("dryRun") != "All":
			t.Errorf("%s %s is no dry run", r.Method, r.URL)
		case refuses(r.Method, name, string(body)):
			w.WriteHeader(http.StatusUnprocessableEntity)
			fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid","message":"no","code":422}`)
		case r.Method == http.MethodPost: // of a name that is there
			w.WriteHeader(http.StatusConflict)
			fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"AlreadyExists","message":"exists","code":409}`)
		default:
			fmt.Fprint(w, objects[name])
		}
	}))
	defer server.Close()
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	_, err = Take(t.Context(), Config{
		Conn: conn, File: file, Tries: []Write{Label}, Beside: earlier == "", Earlier: earlier,
		Forms: Forms{"a.io A": {APIVersion: "a.io/v1", Plural: "as", Namespaced: true, Verbs: []string{"get", "patch", "update", "create"}}},
		Stored: func(_ context.Context, each func(string, []byte, int64) error) error {
			for _, name := range []string{"harm", "near"} {
				if err := each("/registry/a.io/as/n/"+name, []byte(objects[name]), 3); err != nil {
					return err
				}
			}
			return nil
		},
	})
	require.NoError(t, err)
	all := map[string][]Try{}
	require.NoError(t, Each(file, func(r *Record) error { all[r.Name] = acceptedOf(r.Tries); return nil }))
	return all
}

// TestBeside: what a server accepts of changes and of new objects is kept, and another server is asked for that
// alone, of each custom resource of one shape.
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	immutable := func(method, _, body string) bool {
		return strings.Contains(body, "/spec/a/") && method == http.MethodPatch
	}
	first := takeBeside(t, filepath.Join(dir, "first"), "", immutable)
	for name, tries := range first {
		fields := []string{}
		for _, try := range tries {
			assert.False(t, try.Refused(), name)
			if try.Edit != nil {
				fields = append(fields, try.Edit.Field())
			}
		}
		assert.Equal(t, []string{".spec.note", ".spec.b[2]"}, fields, name)
		assert.Equal(t, Create, tries[len(tries)-1].Write, "%s: its name is there", name)
	}
	second := takeBeside(t, filepath.Join(dir, "second"), filepath.Join(dir, "first"), func(method, name, body string) bool {
		return immutable(method, name, body) || name == "harm" && strings.Contains(body, "/spec/") || method == http.MethodPost && strings.Contains(body, `"harm"`)
	})
	for name, tries := range second {
		require.Len(t, tries, 3, name)
		for _, try := range tries {
			assert.Equal(t, name == "harm", try.Refused(), "%s: %v", name, try)
		}
	}
}

// TestParts: each number is a part, of a list one element more, and of other values one of each object. What a server
// gives to each new object is not sent.
func TestParts(t *testing.T) {
	r := &Record{Object: []byte(`{"apiVersion":"v1","kind":"Service","metadata":{"name":"a","uid":"u","resourceVersion":"3","labels":{"l":"v"}},"status":{"s":1},
		"spec":{"clusterIP":"10.0.0.1","n":7,"m":1,"on":true,"type":"T","ports":[{"name":"p","nodePort":30000}]}}`)}
	o, err := parsed(r, Form{Subresources: []string{"status"}})
	require.NoError(t, err)
	at := map[string]int{}
	for _, part := range parts(o.body) {
		at[part[0][0].Field()]++
		for _, values := range part {
			for _, c := range values {
				assert.True(t, c.fits(o.body), c.Pointer)
				assert.NotEqual(t, string(c.Was), string(c.Value), c.Pointer)
			}
		}
	}
	assert.Equal(t, map[string]int{".spec.n": 1, ".spec.m": 1, ".spec.on": 1, ".spec.ports[1]": 1, ".spec.ports[0].nodePort": 1, ".spec.ports[0].name": 1}, at)
	assert.False(t, FieldEdit{Pointer: "/spec/n", Was: []byte("8")}.fits(o.body), "another release shows another value")
	assert.Equal(t, map[string]any{
		"apiVersion": "v1", "kind": "Service", "metadata": map[string]any{"name": "a", "labels": map[string]any{"l": "v"}},
		"spec": map[string]any{"n": int64(7), "m": int64(1), "on": true, "type": "T", "ports": []any{map[string]any{"name": "p"}}},
	}, o.anew())
}

// TestEditedOnce: of a built-in kind one object stands for another one when changes and the writes after the first are tried, if they differ in nothing but
// their managers, and labels and annotations that no release knows: validation of the kind sees neither. Where an admission
// policy is bound, which sees all, both are changed, and so they are where a key is Kubernetes' own. Each is created anew,
// so that a value that another release refuses is found whoever has it.
func TestEditedOnce(t *testing.T) {
	const binding = "validatingadmissionpolicybindings"
	for name, c := range map[string]struct {
		second, policies, bindings string
		edited                     bool
	}{
		"a label of the user":          {second: `"labels":{"example.com/a":"b"}`},
		"another manager":              {second: `"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"v1"}]`},
		"a manager of another version": {second: `"managedFields":[{"manager":"m","apiVersion":"v0"}]`, edited: true},
		"an annotation of its own":     {second: `"annotations":{"a.kubernetes.io/b":"c"}`, edited: true},
		"a key without a domain":       {second: `"annotations":{"deprecated":"c"}`, edited: true},
		"a policy that is bound":       {second: `"labels":{"example.com/a":"b"}`, policies: `{"metadata":{"name":"p"}}`, bindings: `{"spec":{"policyName":"p"}}`, edited: true},
		"a policy that is unbound":     {second: `"labels":{"example.com/a":"b"}`, policies: `{"metadata":{"name":"p"}}`, bindings: `{"spec":{"policyName":"q"}}`},
		"policies that nobody reads":   {second: `"labels":{"example.com/a":"b"}`, policies: `no list`, edited: true},
	} {
		var mu sync.Mutex
		edited, put, created := map[string]bool{}, map[string]bool{}, 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
			switch {
			case name == "validatingadmissionpolicies":
				fmt.Fprintf(w, `{"items":[%s]}`, c.policies)
				return
			case name == binding:
				fmt.Fprintf(w, `{"items":[%s]}`, c.bindings)
				return
			case r.Method == http.MethodPost:
				created++
			case r.Method == http.MethodPut:
				put[name] = true
			case r.Header.Get("Content-Type") == "application/json-patch+json":
				edited[name] = true
			}
			metadata := `,"managedFields":[{"manager":"k","operation":"Update","apiVersion":"v1"}]`
			switch {
			case name == "second" && strings.Contains(c.second, "managedFields"):
				metadata = "," + c.second
			case name == "second":
				metadata += "," + c.second
			}
			fmt.Fprintf(w, `{"apiVersion":"v1","kind":"A","metadata":{"name":%q%s},"spec":{"n":3}}`, name, metadata)
		}))
		conn, err := client.Connect(client.Endpoint{URL: server.URL})
		require.NoError(t, err)
		const policies = "admissionregistration.k8s.io ValidatingAdmissionPolicy"
		_, err = Take(t.Context(), Config{
			Conn: conn, File: filepath.Join(t.TempDir(), "records"), Tries: []Write{Label, Put}, Beside: true,
			Forms: Forms{
				" A":                 {APIVersion: "v1", Plural: "as", Namespaced: true, Verbs: []string{"get", "patch", "update", "create"}},
				policies:             {APIVersion: "admissionregistration.k8s.io/v1", Plural: "validatingadmissionpolicies"},
				policies + "Binding": {APIVersion: "admissionregistration.k8s.io/v1", Plural: binding},
			},
			Stored: func(_ context.Context, each func(string, []byte, int64) error) error {
				for _, name := range []string{"first", "second"} {
					if err := each("/registry/as/n/"+name, []byte(`{"apiVersion":"v1","kind":"A"}`), 3); err != nil {
						return err
					}
				}
				return nil
			},
		})
		require.NoError(t, err)
		assert.True(t, edited["first"], name)
		assert.Equal(t, c.edited, edited["second"], name)
		assert.True(t, put["first"], name)
		assert.Equal(t, c.edited, put["second"], name)
		assert.Equal(t, 2, created, name)
		server.Close()
	}
}
