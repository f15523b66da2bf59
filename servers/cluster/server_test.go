package cluster

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// apiserver behaves as a kube-apiserver does. Answers replaces answers by path, one for each
// request in their order; nil means the usual answer.
type apiserver struct {
	*httptest.Server
	mu       sync.Mutex
	objects  map[string]int // by path
	answers  map[string][]http.HandlerFunc
	requests []string // GET /api/v1/pods?limit=500
	agents   map[string]bool
}

const token = "t0ken"

// newServer starts a server with 3 pods, 3 secrets, and an aggregated API.
func newServer(t *testing.T) *apiserver {
	s := &apiserver{
		objects: map[string]int{"/api/v1/pods": 3, "/api/v1/secrets": 3, "/api/v1/namespaces": 2, "/apis/apps/v1/deployments": 4},
		answers: map[string][]http.HandlerFunc{}, agents: map[string]bool{},
	}
	s.Server = httptest.NewUnstartedServer(s)
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // of connections that nobody used
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// kubeconfig returns the name of a kubeconfig file for the server.
func (s *apiserver) kubeconfig(t *testing.T, token string) string {
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	text := fmt.Sprintf(`{apiVersion: v1, kind: Config, current-context: c, contexts: [{name: c, context: {cluster: k, user: u}}],
clusters: [{name: k, cluster: {server: %q, certificate-authority-data: %s}}], users: [{name: u, user: {token: %s}}]}`,
		s.URL, base64.StdEncoding.EncodeToString(authority), token)
	name := filepath.Join(t.TempDir(), "kubeconfig")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

func (s *apiserver) answer(path string, all ...http.HandlerFunc) { s.answers[path] = all }

func (s *apiserver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	query := r.URL.Query()
	query.Del("timeout")
	s.requests = append(s.requests, r.Method+" "+r.URL.Path+"?"+query.Encode())
	s.agents[r.UserAgent()] = true
	w.Header().Set("Content-Type", "application/json")
	if all := s.answers[r.URL.Path]; len(all) > 0 {
		s.answers[r.URL.Path] = all[1:]
		if all[0] != nil {
			all[0](w, r)
			return
		}
	}
	switch {
	case r.Header.Get("Authorization") != "Bearer "+token:
		status(http.StatusUnauthorized, "Unauthorized", "")(w, r)
	case discovered(r.URL.Path) != "":
		fmt.Fprint(w, discovered(r.URL.Path))
	default:
		s.list(w, r)
	}
}

// discovered returns the answer to a request of the discovery, or "".
func discovered(path string) string {
	list := func(gv string, rows ...string) string {
		var all []string
		for _, row := range rows {
			name, kind, _ := strings.Cut(row, " ")
			verbs := `["create","get","list","watch"]`
			if strings.HasPrefix(kind, "!") {
				kind, verbs = kind[1:], `["create"]`
			}
			all = append(all, fmt.Sprintf(`{"name":%q,"kind":%q,"namespaced":true,"verbs":%s}`, name, kind, verbs))
		}
		return fmt.Sprintf(`{"kind":"APIResourceList","apiVersion":"v1","groupVersion":%q,"resources":[%s]}`, gv, strings.Join(all, ","))
	}
	return map[string]string{
		"/version": `{"major":"1","minor":"36","gitVersion":"v1.36.1-eks-abc"}`,
		"/api":     `{"kind":"APIVersions","versions":["v1"]}`,
		"/apis": `{"kind":"APIGroupList","apiVersion":"v1","groups":[` + group("apps", "v1", "v1beta1") + "," + group("metrics.k8s.io", "v1beta1") + "," +
			group("example.dev", "v1") + "," + group("apiextensions.k8s.io", "v1") + "," + group("apiregistration.k8s.io", "v1") + `]}`,
		"/api/v1": list("v1", "pods Pod", "pods/log Pod", "secrets Secret", "events Event", "namespaces Namespace",
			"bindings !Binding", "componentstatuses ComponentStatus"),
		"/apis/apps/v1":                   list("apps/v1", "deployments Deployment", "deployments/scale Scale"),
		"/apis/apps/v1beta1":              list("apps/v1beta1", "deployments Deployment"),
		"/apis/metrics.k8s.io/v1beta1":    list("metrics.k8s.io/v1beta1", "pods PodMetrics"),
		"/apis/example.dev/v1":            list("example.dev/v1", "widgets Widget"),
		"/apis/apiextensions.k8s.io/v1":   list("apiextensions.k8s.io/v1", "customresourcedefinitions CustomResourceDefinition"),
		"/apis/apiregistration.k8s.io/v1": list("apiregistration.k8s.io/v1", "apiservices APIService"),
	}[path]
}

func group(name string, versions ...string) string {
	var all []string
	for _, v := range versions {
		all = append(all, fmt.Sprintf(`{"groupVersion":"%s/%s","version":%q}`, name, v, v))
	}
	return fmt.Sprintf(`{"name":%q,"versions":[%s],"preferredVersion":%s}`, name, strings.Join(all, ","), all[0])
}

// list answers with a chunk; a continue token is the number of the next object.
func (s *apiserver) list(w http.ResponseWriter, r *http.Request) {
	var items []string
	switch r.URL.Path {
	case "/apis/apiregistration.k8s.io/v1/apiservices":
		items = []string{
			`{"metadata":{"name":"v1.apps"},"spec":{"group":"apps","version":"v1"}}`,
			`{"metadata":{"name":"v1beta1.metrics.k8s.io"},"spec":{"group":"metrics.k8s.io","version":"v1beta1","service":{"namespace":"kube-system","name":"metrics-server"}}}`,
		}
	case "/apis/apiextensions.k8s.io/v1/customresourcedefinitions":
		items = []string{`{"metadata":{"name":"widgets.example.dev","uid":"crd"}}`}
	default:
		for i := range s.objects[r.URL.Path] {
			items = append(items, fmt.Sprintf(`{"metadata":{"name":"o%d","namespace":"n","uid":"%s-%d","managedFields":[{"manager":"m"}],"resourceVersion":"7"},"spec":{"large":9007199254740993}}`,
				i, r.URL.Path, i))
		}
	}
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	from, _ := strconv.Atoi(r.URL.Query().Get("continue"))
	to, next := len(items), ""
	if limit > 0 && from+limit < len(items) {
		to, next = from+limit, strconv.Itoa(from+limit)
	}
	fmt.Fprintf(w, `{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":%q},"items":[%s]}`, next, strings.Join(items[from:to], ","))
}

// status answers with a Status; next is a continue token.
func status(code int, reason, next string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		body, _ := json.Marshal(map[string]any{
			"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason, "message": "because",
			"metadata": map[string]string{"continue": next},
		})
		_, _ = w.Write(body)
	}
}

// retryAfter answers with 429.
func retryAfter(seconds string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", seconds)
		status(http.StatusTooManyRequests, "TooManyRequests", "")(w, r)
	}
}
