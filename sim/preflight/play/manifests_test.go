package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/cluster"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/published"
)

// fake is a server that stores what it is sent, and answers some requests otherwise.
type fake struct {
	mu       sync.Mutex
	order    []string // METHOD NAME
	revision int64
	stored   map[string]string // by path
	at       map[string]int64
	// refuse returns the answer to the nth request for a name; 0: it is stored.
	refuse func(r *http.Request, name string, n int) (code int, status string)
	warn   map[string]string
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	h, _ := cluster.ReadHeader(body)
	name := h.Metadata.Name
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodGet {
		fmt.Fprint(w, `{"status":{"conditions":[{"type":"Established","status":"True"}]}}`)
		return
	}
	if strings.HasSuffix(r.URL.Path, "/status") {
		f.order = append(f.order, "status "+path.Base(path.Dir(r.URL.Path)))
		return
	}
	f.order = append(f.order, r.Method+" "+name)
	tried := 0
	for _, o := range f.order {
		if o == r.Method+" "+name {
			tried++
		}
	}
	if f.refuse != nil {
		if code, status := f.refuse(r, name, tried); code != 0 {
			w.WriteHeader(code)
			fmt.Fprint(w, status)
			return
		}
	}
	if text := f.warn[name]; text != "" {
		w.Header().Set("Warning", `299 - "`+text+`"`)
	}
	f.revision++
	at := r.URL.Path + "/" + name
	if r.Method == http.MethodPatch {
		at = r.URL.Path
	}
	f.stored[at], f.at[at] = string(body), f.revision
	fmt.Fprintf(w, `{"metadata":{"resourceVersion":"%d"}}`, f.revision)
}

// fill fills a copy from manifests by way of the server.
func (f *fake) fill(t *testing.T, bodies ...string) (stored map[string]string, taken Taken) {
	t.Helper()
	f.stored, f.at = map[string]string{}, map[string]int64{}
	server := httptest.NewServer(f)
	defer server.Close()
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	m := Manifests{}
	for n, b := range bodies {
		o, err := cluster.Parse(json.RawMessage(b))
		require.NoError(t, err)
		o.Place = fmt.Sprintf("document %d", n+1)
		m.All = append(m.All, o)
	}
	stored = map[string]string{}
	taken, err = m.Fill(t.Context(), Copy{
		Release: declaring(), Put: func(_ context.Context, keys []string, values [][]byte) error {
			for i, k := range keys {
				stored[k] = string(values[i])
			}
			return nil
		},
		Start: func(context.Context) (Server, error) {
			return Server{Conn: conn, Close: func() error { return nil }, Stored: func(_ context.Context, each func(string, []byte, int64, int64) error) error {
				for at, body := range f.stored {
					require.NoError(t, each(at, []byte(body), f.at[at], f.at[at]))
				}
				return errors.Join(each("/registry/leases/before", []byte("{}"), 0, 99), each("/registry/ipaddresses/after", []byte("{}"), 99, 99))
			}}, nil
		},
	})
	require.NoError(t, err)
	return stored, taken
}

func declaring() published.Release {
	both := []string{"create", "get"}
	return published.Release{Version: "v1.36.3", Resources: []published.Resource{
		{APIVersion: "v1", Kind: "ConfigMap", Plural: "configmaps", Namespaced: true, Verbs: both},
		{APIVersion: "v1", Kind: "ResourceQuota", Plural: "resourcequotas", Namespaced: true, Verbs: both},
		{APIVersion: "v1", Kind: "Namespace", Plural: "namespaces", Verbs: both},
		{APIVersion: "scheduling.k8s.io/v1", Kind: "PriorityClass", Plural: "priorityclasses", Verbs: both},
		{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Plural: "customresourcedefinitions", Verbs: both},
		{APIVersion: "admissionregistration.k8s.io/v1", Kind: "ValidatingWebhookConfiguration", Plural: "validatingwebhookconfigurations", Verbs: both},
		{APIVersion: "admissionregistration.k8s.io/v1", Kind: "ValidatingAdmissionPolicy", Plural: "validatingadmissionpolicies", Verbs: both},
		{APIVersion: "admissionregistration.k8s.io/v1", Kind: "ValidatingAdmissionPolicyBinding", Plural: "validatingadmissionpolicybindings", Verbs: both},
		{APIVersion: "authorization.k8s.io/v1", Kind: "SelfSubjectAccessReview", Plural: "selfsubjectaccessreviews", Verbs: []string{"create"}},
	}}
}

const (
	aMap    = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","resourceVersion":"7","uid":"u"},"data":{"n":"1"}}`
	aWidget = `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"gear","namespace":"ignored"},"spec":{"priorityClassName":"urgent"}}`
)

// definition of Widgets, or Gadgets that a webhook converts.
func definition(plural, kind, scope, conversion string) string {
	return fmt.Sprintf(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"%s.example.com"},"spec":{"group":"example.com","scope":%q,"names":{"kind":%q,"plural":%q},"conversion":%s,
"versions":[{"name":"v1","served":true,"storage":true},{"name":"v1beta1","served":true,"storage":false}]}}`, plural, scope, kind, plural, conversion)
}

// TestOrder: what others need is created before them, also what the manifests lack, and what could refuse them
// last. Webhooks stay out. What the server stored of the manifests is taken, and nothing else.
func TestOrder(t *testing.T) {
	f := &fake{}
	stored, taken := f.fill(t,
		`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicyBinding","metadata":{"name":"bound"}}`,
		`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy","metadata":{"name":"policy"}}`,
		`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration","metadata":{"name":"hooks"},"webhooks":[{}]}`,
		`{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"quota"},"spec":{"hard":{"pods":"1"}}}`,
		`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b","namespace":"shop"}}`, aWidget,
		`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"own"}}`, definition("widgets", "Widget", "Cluster", `{"strategy":"None"}`),
		`{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","metadata":{"name":"asks"}}`,
	)
	sent := func(name string) int { return slices.Index(f.order, "POST "+name) }
	for _, pair := range [][2]string{
		{"widgets.example.com", "own"}, {"own", "gear"}, {"shop", "b"}, {"urgent", "gear"}, {"b", "quota"}, {"gear", "quota"}, {"quota", "policy"}, {"policy", "bound"},
	} {
		assert.Less(t, sent(pair[0]), sent(pair[1]), "%v in %v", pair, f.order)
	}
	assert.Equal(t, -1, sent("hooks"))
	assert.Equal(t, -1, sent("asks"))
	assert.Contains(t, f.order, "status quota")
	assert.Contains(t, f.stored["/apis/example.com/v1/widgets/gear"], `"metadata":{"name":"gear"}`, "the kind has no namespaces")
	assert.Len(t, stored, 7)
	assert.Equal(t, 7, taken.Objects)
	assert.Len(t, taken.Beside, 4, "two namespaces, a class, and what the server made of the objects: %v", taken.Beside)
	assert.Contains(t, taken.Beside, "/registry/ipaddresses/after")
	assert.Len(t, taken.Removed, 1)
	assert.Equal(t, 1, taken.NotTaken)
}

// TestLastOneCounts: of several objects with one name the last one is created, without what a server wrote into
// it, and the others are noted. One without a namespace is in default.
func TestLastOneCounts(t *testing.T) {
	f := &fake{}
	stored, taken := f.fill(t, aMap, strings.Replace(aMap, `"name":"a"`, `"name":"a","namespace":"default"`, 1), strings.Replace(aMap, `"1"`, `"9007199254740993"`, 1))
	assert.JSONEq(t, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"default"},"data":{"n":"9007199254740993"}}`, stored["/api/v1/namespaces/default/configmaps/a"])
	assert.Equal(t, 1, taken.Objects)
	require.Len(t, taken.Skipped, 2)
	assert.Contains(t, taken.Skipped[1], "document 3")
	assert.Zero(t, taken.NotTaken)
	assert.Empty(t, taken.NotRead, "the last one is there")
}

// TestRefused: what the server refuses is not taken, and no value of it is shown; what it answers otherwise a
// little later is taken; what it has already is changed; a field that it does not know is noted.
func TestRefused(t *testing.T) {
	const exists = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"AlreadyExists","code":409}`
	f := &fake{warn: map[string]string{"odd": `unknown field \"data.s3cr3t\"`}, refuse: func(r *http.Request, name string, n int) (int, string) {
		switch {
		case name == "bad":
			return http.StatusUnprocessableEntity, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid","code":422,"message":"spec.x: Invalid value: \"s3cr3t\": no","details":{"causes":[{"field":"spec.x","reason":"FieldValueInvalid"}]}}`
		case name == "later" && n == 1:
			return http.StatusForbidden, `{}`
		case name == "has" && r.Method == http.MethodPost:
			return http.StatusConflict, exists
		}
		return 0, ""
	}}
	named := func(name string) string { return strings.Replace(aMap, `"name":"a"`, `"name":"`+name+`"`, 1) }
	stored, taken := f.fill(t, named("bad"), named("later"), named("has"), named("odd"), `{"apiVersion":"apps/v1beta1","kind":"Deployment","metadata":{"name":"d"}}`)
	const at = "/api/v1/namespaces/default/configmaps/"
	for name, taken := range map[string]bool{"bad": false, "later": true, "has": true, "odd": true} {
		_, has := stored[at+name]
		assert.Equal(t, taken, has, name)
	}
	assert.Equal(t, 2, taken.NotTaken)
	assert.Equal(t, []string{"ConfigMap default/bad", "apps/v1beta1 Deployment"}, taken.NotRead)
	all := strings.Join(taken.Skipped, "\n")
	assert.NotContains(t, all, "s3cr3t")
	for _, text := range []string{"ConfigMap default/bad: in document 1: ", "fields of ConfigMap default/odd", "apps/v1beta1 Deployment: "} {
		assert.Contains(t, all, text)
	}
}

// TestConverted: of a kind whose conversion webhook was taken out, what is declared in another version than
// the stored one is not taken.
func TestConverted(t *testing.T) {
	gadget := func(version string) string {
		return `{"apiVersion":"example.com/` + version + `","kind":"Gadget","metadata":{"name":"` + version + `"}}`
	}
	webhook := `{"strategy":"Webhook","webhook":{"clientConfig":{"url":"https://127.0.0.1:1/"}}}`
	for conversion, want := range map[string]int{webhook: 1, `{"strategy":"None"}`: 2} {
		f := &fake{}
		_, taken := f.fill(t, definition("gadgets", "Gadget", "Namespaced", conversion), gadget("v1"), gadget("v1beta1"))
		assert.Equal(t, 1+want, taken.Objects, conversion)
		assert.Equal(t, 2-want, taken.NotTaken, conversion)
	}
}
