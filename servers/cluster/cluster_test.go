package cluster

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"

	"github.com/skewsim/skewsim/servers/fault"
)

// readAll reads a server, and requires that all requests were GETs.
func readAll(t *testing.T, s *apiserver, o Options) (all []Object, _ Coverage) {
	t.Helper()
	o.Kubeconfig = s.kubeconfig(t, token)
	c, err := Connect(t.Context(), o)
	require.NoError(t, err)
	coverage, err := c.Each(t.Context(), func(o Object) error { all = append(all, o); return nil })
	require.NoError(t, err)
	for _, r := range s.requests {
		require.True(t, strings.HasPrefix(r, "GET "), r)
		require.NotContains(t, r, "watch")
	}
	assert.Equal(t, len(s.requests), c.Requests())
	assert.Equal(t, len(all), coverage.Objects)
	return all, coverage
}

// count counts objects by kind.
func count(all []Object) map[string]int {
	kinds := map[string]int{}
	for _, o := range all {
		kinds[o.Kind]++
	}
	return kinds
}

func reasons(c Coverage) map[string]string {
	all := map[string]string{}
	for _, s := range c.Skipped {
		all[s.What] = s.Reason
	}
	return all
}

// lacking returns what has objects that were not read.
func lacking(c Coverage) (all []string) {
	for _, s := range c.Skipped {
		if s.Lacks {
			all = append(all, s.What)
		}
	}
	return all
}

func TestEach(t *testing.T) {
	s := newServer(t)
	all, coverage := readAll(t, s, Options{})
	assert.Equal(t, map[string]int{"CustomResourceDefinition": 1, "Namespace": 2, "Pod": 3, "Deployment": 4, "APIService": 2}, count(all))
	assert.Equal(t, "CustomResourceDefinition", all[0].Kind)
	assert.Equal(t, "Namespace", all[1].Kind)
	assert.Equal(t, "v1.36.1-eks-abc", coverage.ServerVersion)
	assert.Equal(t, map[string]string{
		"secrets":             "confidential: only --secrets reads them",
		"events":              "expire within hours: Events are read on request only",
		"pods.metrics.k8s.io": "an aggregated API: service kube-system/metrics-server stores its objects, and not kube-apiserver",
	}, reasons(coverage))
	assert.Equal(t, []string{"secrets"}, lacking(coverage), "Events expire, and others store what is aggregated")
	for _, never := range []string{"secrets", "metrics.k8s.io/v1beta1/pods", "v1beta1/deployments", "/log", "/scale", "bindings", "componentstatuses"} {
		assert.NotContains(t, strings.Join(s.requests, "\n"), never)
	}
	pod := all[len(all)-1]
	for _, o := range all {
		if o.Kind == "Pod" {
			pod = o
		}
	}
	assert.Equal(t, "Pod n/o2", pod.String())
	assert.JSONEq(t, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"o2","namespace":"n","uid":"/api/v1/pods-2","managedFields":[{"manager":"m"}],"resourceVersion":"7"},"spec":{"large":9007199254740993}}`, string(pod.Body))
	assert.Contains(t, string(pod.Body), "9007199254740993")
	assert.Equal(t, map[string]bool{"skewsim (read-only)": true}, s.agents)
}

func TestSecretsAndEventsOnRequest(t *testing.T) {
	s := newServer(t)
	s.objects["/api/v1/events"] = 2
	all, coverage := readAll(t, s, Options{Secrets: true, Events: true})
	assert.Equal(t, 3, count(all)["Secret"])
	assert.Equal(t, 2, count(all)["Event"])
	assert.NotContains(t, reasons(coverage), "secrets")
	assert.Empty(t, lacking(coverage))
}

func TestChunks(t *testing.T) {
	s := newServer(t)
	s.objects["/api/v1/pods"] = 1001
	all, _ := readAll(t, s, Options{})
	assert.Equal(t, 1001, count(all)["Pod"])
	assert.Equal(t, []string{
		"GET /api/v1/pods?limit=500", "GET /api/v1/pods?continue=500&limit=500", "GET /api/v1/pods?continue=1000&limit=500",
	}, s.of("/api/v1/pods?"))
}

// of returns the requests to a path.
func (s *apiserver) of(path string) (all []string) {
	for _, r := range s.requests {
		if strings.HasPrefix(r, "GET "+path) {
			all = append(all, r)
		}
	}
	return all
}

// TestDisturbed plays what a list of 1,001 pods can meet in its second chunk.
func TestDisturbed(t *testing.T) {
	const pods = "/api/v1/pods"
	expired := status(http.StatusGone, "Expired", "")
	for name, c := range map[string]struct {
		answers  []http.HandlerFunc
		pods     int
		requests int
		reason   string
	}{
		"nothing":                {nil, 1001, 3, ""},
		"expired with a token":   {[]http.HandlerFunc{nil, status(http.StatusGone, "Expired", "500")}, 1001, 4, ""},
		"expired":                {[]http.HandlerFunc{nil, expired}, 1001, 5, ""},
		"expired twice":          {[]http.HandlerFunc{nil, expired, nil, expired}, 1001, 7, ""},
		"expired for ever":       {[]http.HandlerFunc{nil, expired, nil, expired, nil, expired}, 500, 6, "only 500 objects were read: its list expired 3 times while it was read (410)"},
		"too many requests":      {[]http.HandlerFunc{nil, retryAfter("1")}, 1001, 4, ""},
		"too many, unlimited":    {[]http.HandlerFunc{nil, status(http.StatusTooManyRequests, "TooManyRequests", "")}, 500, 2, "only 500 objects were read: the server could not list it: because"},
		"forbidden":              {[]http.HandlerFunc{status(http.StatusForbidden, "Forbidden", "")}, 0, 1, "the caller may not list it (403): see --print-rbac"},
		"gone":                   {[]http.HandlerFunc{status(http.StatusNotFound, "NotFound", "")}, 0, 1, "the server does not serve it any more"},
		"a server error":         {[]http.HandlerFunc{status(http.StatusInternalServerError, "InternalError", "")}, 0, 1, "the server could not list it: because"},
		"a gateway's text":       {[]http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "bad gateway", http.StatusBadGateway) }}, 0, 1, ""},
		"not a list":             {[]http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "[") }}, 0, 1, "the server could not list it: the answer is not a list: unexpected end of JSON input"},
		"the same token":         {[]http.HandlerFunc{nil, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"metadata":{"continue":"500"}}`) }}, 500, 2, "only 500 objects were read: the server could not list it: the server returned the same continue token twice"},
		"credentials are late":   {[]http.HandlerFunc{status(http.StatusUnauthorized, "Unauthorized", "")}, 1001, 4, ""},
		"an answer without name": {[]http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"items":[{"metadata":{}},3]}`) }}, 0, 1, "2 of its objects are not complete: not a JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			s.objects[pods] = 1001
			s.answer(pods, c.answers...)
			all, coverage := readAll(t, s, Options{})
			assert.Equal(t, c.pods, count(all)["Pod"])
			assert.Len(t, s.of(pods+"?"), c.requests)
			assert.Equal(t, 4, count(all)["Deployment"], "other resources are read")
			reason, skipped := reasons(coverage)["pods"]
			assert.Equal(t, c.pods != 1001, skipped)
			if c.reason != "" {
				assert.Equal(t, c.reason, reason)
			}
		})
	}
}

// TestTooLarge: a chunk over the limit is read in smaller chunks.
func TestTooLarge(t *testing.T) {
	s := newServer(t)
	s.objects["/api/v1/pods"] = 120
	s.answer("/api/v1/pods", func(w http.ResponseWriter, _ *http.Request) {
		part := []byte(strings.Repeat(" ", 1<<20))
		for range maxAnswer>>20 + 1 {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
	})
	all, _ := readAll(t, s, Options{})
	assert.Equal(t, 120, count(all)["Pod"])
	assert.Equal(t, []string{"GET /api/v1/pods?limit=500", "GET /api/v1/pods?limit=100", "GET /api/v1/pods?continue=100&limit=100"}, s.of("/api/v1/pods?"))
}

// TestAggregatedAPIs: without APIServices, definitions say which groups are custom; without
// both, only the metrics APIs are known to be aggregated.
func TestAggregatedAPIs(t *testing.T) {
	forbidden := status(http.StatusForbidden, "Forbidden", "")
	s := newServer(t)
	s.answer("/apis/apiregistration.k8s.io/v1/apiservices", forbidden, forbidden)
	s.objects["/apis/example.dev/v1/widgets"] = 5
	all, coverage := readAll(t, s, Options{})
	assert.Equal(t, 5, count(all)["Widget"])
	assert.Equal(t, "an aggregated API: another server stores its objects, and not kube-apiserver", reasons(coverage)["pods.metrics.k8s.io"])
	assert.Len(t, coverage.Limits, 2)

	s = newServer(t)
	s.answer("/apis/apiregistration.k8s.io/v1/apiservices", forbidden, forbidden)
	s.answer("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", forbidden, forbidden)
	_, coverage = readAll(t, s, Options{})
	assert.Contains(t, reasons(coverage), "pods.metrics.k8s.io")
	assert.Len(t, coverage.Limits, 3)

	s = newServer(t)
	unavailable := status(http.StatusServiceUnavailable, "ServiceUnavailable", "")
	s.answer("/apis/metrics.k8s.io/v1beta1", unavailable, unavailable, unavailable)
	all, coverage = readAll(t, s, Options{})
	assert.Equal(t, 3, count(all)["Pod"])
	assert.Equal(t, "an aggregated API: service kube-system/metrics-server, which does not answer, stores its objects, and not kube-apiserver", reasons(coverage)["metrics.k8s.io/v1beta1"])

	s = newServer(t)
	s.answer("/apis/example.dev/v1", unavailable, unavailable, unavailable)
	_, coverage = readAll(t, s, Options{})
	assert.Contains(t, reasons(coverage)["example.dev/v1"], "does not say which resources")
}

func TestConnectFails(t *testing.T) {
	s := newServer(t)
	good := s.kubeconfig(t, token)
	gone := httptest.NewTLSServer(http.NotFoundHandler())
	gone.Close()
	for name, c := range map[string]struct {
		options Options
		want    string
		kind    fault.Kind
	}{
		"no file":       {Options{Kubeconfig: filepath.Join(t.TempDir(), "none")}, "no such file", fault.User},
		"no context":    {Options{Kubeconfig: good, Context: "d"}, `no context "d"; contexts: c`, fault.User},
		"credentials":   {Options{Kubeconfig: s.kubeconfig(t, "other")}, "does not accept the credentials (401)", fault.User},
		"no server":     {Options{Kubeconfig: edited(t, good, s.URL, gone.URL)}, "no connection", fault.Infrastructure},
		"other server":  {Options{Kubeconfig: edited(t, good, "certificate-authority-data", "ignored")}, "not signed by the certificate authority", fault.User},
		"another name":  {Options{Kubeconfig: edited(t, good, "certificate-authority-data", "tls-server-name: x, certificate-authority-data")}, "the server's certificate is not valid", fault.User},
		"no kubeconfig": {Options{Kubeconfig: edited(t, good, "{", "[")}, "read kubeconfig", fault.User},
	} {
		_, err := Connect(t.Context(), c.options)
		assert.ErrorContains(t, err, c.want, name)
		assert.Equal(t, c.kind, fault.Of(err).Kind, "%s: %v", name, err)
		assert.NotContains(t, fmt.Sprint(err), token, name)
	}
	_, err := Connect(t.Context(), Options{Kubeconfig: good, Context: "c"})
	assert.NoError(t, err)
	s.answer("/version", status(http.StatusForbidden, "Forbidden", ""))
	c, err := Connect(t.Context(), Options{Kubeconfig: good})
	require.NoError(t, err)
	assert.Empty(t, c.Version())
	s.answer("/version", http.RedirectHandler("/elsewhere", http.StatusFound).ServeHTTP)
	_, err = Connect(t.Context(), Options{Kubeconfig: good})
	assert.ErrorContains(t, err, "redirects are not followed")
}

// TestCredentials: exec plugins give a token as they do for kubectl, and an expired client
// certificate is named.
func TestCredentials(t *testing.T) {
	s := newServer(t)
	plugin := `exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: sh, args: ["-c", %q]}`
	credential := `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"` + token + `"}}'`
	good := s.kubeconfig(t, token)
	_, err := Connect(t.Context(), Options{Kubeconfig: edited(t, good, "token: "+token, fmt.Sprintf(plugin, credential))})
	assert.NoError(t, err)
	_, err = Connect(t.Context(), Options{Kubeconfig: edited(t, good, "token: "+token, fmt.Sprintf(plugin, "exit 7"))})
	assert.ErrorContains(t, err, "exit code 7")

	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	for end, want := range map[time.Time]string{
		time.Now().Add(time.Hour):                   "",
		time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC): ": the client certificate in the kubeconfig expired on 2020-01-02T03:04:05Z",
	} {
		form := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: end}
		raw, err := x509.CreateCertificate(rand.Reader, form, form, key.Public(), key)
		require.NoError(t, err)
		c := &Cluster{certData: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})}
		assert.Equal(t, want, c.expiry())
	}
}

func edited(t *testing.T, file, old, new string) string {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "edited")
	require.NoError(t, os.WriteFile(name, []byte(strings.Replace(string(data), old, new, 1)), 0o600))
	return name
}

// TestEndsEarly: a server that goes away, credentials that end, the caller's own error and an
// interruption end the reading.
func TestListEndsEarly(t *testing.T) {
	s := newServer(t)
	c, err := Connect(t.Context(), Options{Kubeconfig: s.kubeconfig(t, token)})
	require.NoError(t, err)
	nothing := func(Object) error { return nil }

	own := errors.New("own")
	_, err = c.Each(t.Context(), func(Object) error { return own })
	assert.Equal(t, own, err)

	ctx, cancel := context.WithCancel(t.Context())
	_, err = c.Each(ctx, func(Object) error { cancel(); return nil })
	assert.ErrorIs(t, err, context.Canceled)

	unauthorized := status(http.StatusUnauthorized, "Unauthorized", "")
	s.answer("/api/v1/pods", unauthorized, unauthorized)
	_, err = c.Each(t.Context(), nothing)
	assert.ErrorContains(t, err, "list pods of cluster https://")
	assert.ErrorContains(t, err, "(401)")

	s.Close()
	began := time.Now()
	_, err = c.Each(t.Context(), nothing)
	assert.Equal(t, fault.NetworkDown, fault.Of(err).Failure, "%v", err)
	assert.Less(t, time.Since(began), 30*time.Second)
}

// TestReadOnly: no request but a plain GET reaches the server.
func TestReadOnly(t *testing.T) {
	s := newServer(t)
	c, err := Connect(t.Context(), Options{Kubeconfig: s.kubeconfig(t, token)})
	require.NoError(t, err)
	before := len(s.requests)
	client := c.discovery.RESTClient()
	for _, verb := range []string{"POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"} {
		err := client.Verb(verb).AbsPath("/api/v1/pods").Do(t.Context()).Error()
		var refused *RefusedError
		assert.ErrorAs(t, err, &refused, verb)
	}
	assert.Error(t, client.Get().AbsPath("/api/v1/namespaces/n/pods/p/exec").SetHeader("Upgrade", "websocket").Do(t.Context()).Error())
	assert.Error(t, client.Get().AbsPath("/api/v1/pods").Body([]byte("{}")).Do(t.Context()).Error())
	assert.Len(t, s.requests, before)
	assert.NoError(t, client.Get().AbsPath("/api/v1/pods").Do(t.Context()).Error())
	assert.Len(t, s.requests, before+1)
}

// TestRules: a role grants what is listed, and Secrets only on request.
func TestRules(t *testing.T) {
	s := newServer(t)
	for _, secrets := range []bool{false, true} {
		c, err := Connect(t.Context(), Options{Kubeconfig: s.kubeconfig(t, token), Secrets: secrets})
		require.NoError(t, err)
		text, err := c.Rules(t.Context())
		require.NoError(t, err)
		role := parsed(t, text)
		granted := map[string][]string{}
		for _, r := range role.Rules[1:] {
			granted[r.APIGroups[0]] = r.Resources
		}
		core := []string{"namespaces", "pods"}
		if secrets {
			core = append(core, "secrets")
		}
		assert.Equal(t, map[string][]string{
			"": core, "apps": {"deployments"}, "example.dev": {"widgets"},
			"apiextensions.k8s.io": {"customresourcedefinitions"}, "apiregistration.k8s.io": {"apiservices"},
		}, granted)
		assert.Equal(t, secrets, strings.Contains(StaticRules(Options{Secrets: secrets}), `"secrets"`))
	}
}

func parsed(t *testing.T, text string) (role rbacv1.ClusterRole) {
	require.NoError(t, yaml.UnmarshalStrict([]byte(text), &role))
	require.Equal(t, RoleName, role.Name)
	for i, r := range role.Rules {
		assert.Subset(t, []string{"get", "list"}, r.Verbs)
		assert.Equal(t, i == 0, len(r.NonResourceURLs) > 0)
		if len(r.APIGroups) > 0 && r.APIGroups[0] == "" {
			assert.NotContains(t, r.Resources, "*")
		}
		assert.NotContains(t, r.APIGroups, "*")
	}
	return role
}

// TestStaticRules: the role knows every group that the libraries know, except those that store
// nothing.
func TestStaticRules(t *testing.T) {
	role := parsed(t, StaticRules(Options{}))
	known := append([]string{"", "events.k8s.io", "authentication.k8s.io", "authorization.k8s.io", "imagepolicy.k8s.io"}, role.Rules[2].APIGroups...)
	for _, gv := range scheme.Scheme.PrioritizedVersionsAllGroups() {
		assert.Contains(t, known, gv.Group)
	}
}
