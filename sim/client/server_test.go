package client_test

import (
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/client"
)

// asking asks a server what it says of itself, in one of four ways.
var asking = map[string]func(context.Context, *client.Connection) (any, error){
	"version": func(ctx context.Context, c *client.Connection) (any, error) { return client.Version(ctx, c) },
	"discover": func(ctx context.Context, c *client.Connection) (any, error) {
		return client.Discover(ctx, c, "example.dev/v1")
	},
	"openapi": func(ctx context.Context, c *client.Connection) (any, error) {
		document, err := client.OpenAPI(ctx, c, "example.dev/v1")
		return string(document), err
	},
	"gates": func(ctx context.Context, c *client.Connection) (any, error) { return client.FeatureGates(ctx, c) },
}

func TestAsking(t *testing.T) {
	for name, c := range map[string]struct {
		path, body string
		want       any
	}{
		"version": {"/version", `{"major":"1","gitVersion":"v1.37.0"}`, "v1.37.0"},
		"discover": {"/apis/example.dev/v1", `{"kind":"APIResourceList","groupVersion":"example.dev/v1","resources":[
			{"name":"gadgets/status","kind":"Gadget","namespaced":true},
			{"name":"gadgets","kind":"Gadget","namespaced":true},
			{"name":"gadgets/scale","kind":"Scale","namespaced":true},
			{"name":"planets","kind":"Planet"}]}`, []client.Discovered{
			{APIVersion: "example.dev/v1", Kind: "Gadget", Plural: "gadgets", Namespaced: true, Subresources: []string{"scale", "status"}},
			{APIVersion: "example.dev/v1", Kind: "Planet", Plural: "planets"},
		}},
		"openapi": {"/openapi/v3/apis/example.dev/v1", `{"openapi": "3.0.0"}`, `{"openapi": "3.0.0"}`},
		"gates": {"/metrics", "# HELP kubernetes_feature_enabled x\n" +
			"kubernetes_feature_enabled{name=\"Alpha\",stage=\"ALPHA\"} 0\n" +
			"kubernetes_feature_enabled{name=\"Ga\",stage=\"\"} 1\n" +
			"kubernetes_feature_enabled{name=\"Cut\n" +
			"other{name=\"x\"} 1\n", map[string]bool{"Alpha": false, "Ga": true}},
	} {
		var asked string
		conn := serve(t, func(w http.ResponseWriter, r *http.Request) {
			asked = r.URL.Path
			w.Header().Set("Content-Type", "text/plain")
			_, _ = io.WriteString(w, c.body)
		})
		got, err := asking[name](t.Context(), conn)
		require.NoError(t, err, name)
		assert.Equal(t, c.want, got, name)
		assert.Equal(t, c.path, asked, name)
	}
}

// TestCoreGroup is where v1 lives.
func TestCoreGroup(t *testing.T) {
	var asked []string
	conn := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		w.WriteHeader(http.StatusNotFound)
	})
	resources, err := client.Discover(t.Context(), conn, "v1")
	require.NoError(t, err)
	assert.Empty(t, resources, "a group version that is not served has no kinds")
	document, err := client.OpenAPI(t.Context(), conn, "v1")
	require.NoError(t, err)
	assert.Nil(t, document)
	assert.Equal(t, []string{"/api/v1", "/openapi/v3/api/v1"}, asked)
}

func TestAskingFails(t *testing.T) {
	const status = `{"kind":"Status","message":"storage is (re)initializing"}`
	paths := map[string]string{
		"version": "/version", "discover": "/apis/example.dev/v1", "openapi": "/openapi/v3/apis/example.dev/v1", "gates": "/metrics",
	}
	for name, ask := range asking {
		_, err := ask(t.Context(), answering(t, 429, "application/json", status))
		assert.EqualError(t, err, "GET "+paths[name]+": answered 429: storage is (re)initializing")
		_, err = ask(t.Context(), answering(t, 500, "text/plain", "oops"))
		assert.EqualError(t, err, "GET "+paths[name]+": answered 500")
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = ask(cancelled, answering(t, 200, "text/plain", "{}"))
		assert.ErrorIs(t, err, context.Canceled, name)
		if name != "gates" {
			_, err = ask(t.Context(), answering(t, 200, "application/json", "<html>"))
			assert.EqualError(t, err, "GET "+paths[name]+": invalid character '<' looking for beginning of value")
		}
	}
}

// TestLongMetrics: a metric line of more than a MiB is an error, not silence.
func TestLongMetrics(t *testing.T) {
	long := make([]byte, 1<<20+1)
	for i := range long {
		long[i] = 'x'
	}
	_, err := client.FeatureGates(t.Context(), answering(t, 200, "text/plain", string(long)))
	assert.EqualError(t, err, "GET /metrics: bufio.Scanner: token too long")
}
