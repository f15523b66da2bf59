package client_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
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
	"gates": func(ctx context.Context, c *client.Connection) (any, error) { return client.Features(ctx, c) },
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
			"other{name=\"x\"} 1\n", []client.Feature{{Name: "Alpha", Stage: "ALPHA"}, {Name: "Ga", On: true}}},
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

// TestNoDocument is a library's own way to say that it publishes none.
func TestNoDocument(t *testing.T) {
	document, err := client.OpenAPI(t.Context(), answering(t, 200, "application/json", ""), "example.dev/v2")
	require.NoError(t, err)
	assert.Nil(t, document)
}

// places are what asking asks.
var places = map[string]string{
	"version": "/version", "discover": "/apis/example.dev/v1", "openapi": "/openapi/v3/apis/example.dev/v1", "gates": "/metrics",
}

// asked starts a server that answers all the same, asks it, and returns the
// error without the place, which it must begin with.
func asked(t *testing.T, name string, code int, contentType, body string) string {
	t.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	_, err := asking[name](t.Context(), connect(t, endpoint(server)))
	require.Error(t, err, "%s: %.100q", name, body)
	what, found := strings.CutPrefix(err.Error(), "GET "+server.URL+places[name]+": ")
	assert.True(t, found, err)
	return what
}

func TestAskingFails(t *testing.T) {
	const status = `{"kind":"Status","message":"storage is (re)initializing"}`
	for name := range asking {
		assert.Equal(t, "answered 429: storage is (re)initializing", asked(t, name, 429, "application/json", status))
		assert.Equal(t, `answered 500; it begins "oops"`, asked(t, name, 500, "text/plain", "oops"))
		assert.Equal(t, `answered 307; it is empty`, asked(t, name, 307, "text/plain", ""))
		long := asked(t, name, 500, "application/json", `{"kind":"Status","message":"`+strings.Repeat("x", 100_000)+`"}`)
		assert.Equal(t, "answered 500: "+strings.Repeat("x", 2000)+"... (100000 bytes)", long)
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := asking[name](cancelled, answering(t, 200, "text/plain", "{}"))
		assert.ErrorIs(t, err, context.Canceled, name)
	}
}

// TestAskingWrongType: an unexpected success is reported with the place, what was wrong, and
// what the answer was.
func TestAskingWrongType(t *testing.T) {
	const (
		html   = "<html><body>Sign in</body></html>"
		status = `{"kind":"Status","status":"Success"}`
		noJSON = "answered 200 with what is no JSON of the form that belongs there: "
	)
	for _, c := range []struct{ name, body, want string }{
		{"version", html, noJSON + `invalid character '<' looking for beginning of value; it begins "<html><body>Sign in</body></html>"`},
		{"version", "", noJSON + "unexpected end of JSON input; it is empty"},
		{"version", `{"gitVersion":`, noJSON + `unexpected end of JSON input; it begins "{\"gitVersion\":"`},
		{"version", `{"gitVersion":7}`, noJSON + `json: cannot unmarshal number into Go struct field Info.gitVersion of type string; it begins "{\"gitVersion\":7}"`},
		{"version", "null", `answered 200 with what is no version: its gitVersion is ""; it begins "null"`},
		{"version", status, `answered 200 with what is no version: its gitVersion is ""; it begins "{\"kind\":\"Status\",\"status\":\"Success\"}"`},
		{"version", `{"gitVersion":"../v1"}`, `answered 200 with what is no version: its gitVersion is "../v1"; it begins "{\"gitVersion\":\"../v1\"}"`},
		{"discover", html, noJSON + `invalid character '<' looking for beginning of value; it begins "<html><body>Sign in</body></html>"`},
		{"discover", "[]", noJSON + `json: cannot unmarshal array into Go value of type v1.APIResourceList; it begins "[]"`},
		{"discover", status, `answered 200 with what is no list of kinds; it begins "{\"kind\":\"Status\",\"status\":\"Success\"}"`},
		{"discover", "{}", `answered 200 with what is no list of kinds; it begins "{}"`},
		{"discover", `{"resources":[{"name":"../x","kind":"X"}]}`, `answered 200 with what is no list of kinds: it has one that is named "../x", "X"; ` +
			`it begins "{\"resources\":[{\"name\":\"../x\",\"kind\":\"X\"}]}"`},
		{"discover", `{"resources":[null]}`, `answered 200 with what is no list of kinds: it has one that is named "", ""; it begins "{\"resources\":[null]}"`},
		{"openapi", html, noJSON + `invalid character '<' looking for beginning of value; it begins "<html><body>Sign in</body></html>"`},
		{"openapi", "null", `answered 200 with what is no OpenAPI document; it begins "null"`},
		{"openapi", " [1]", `answered 200 with what is no OpenAPI document; it begins " [1]"`},
		{"gates", html, `answered 200 with what is no text of metrics: line 1 is invalid; it begins "<html><body>Sign in</body></html>"`},
		{"gates", status, `answered 200 with what is no text of metrics: line 1 is invalid; it begins "{\"kind\":\"Status\",\"status\":\"Success\"}"`},
		{"gates", "a 1\n\x00\xff", `answered 200 with what is no text of metrics: line 2 is invalid; it begins "a 1\n\x00\xff"`},
	} {
		assert.Equal(t, c.want, asked(t, c.name, 200, "application/json", c.body))
	}
}

// TestLongMetrics: a metric line of more than a MiB is an error, not silence.
func TestLongMetrics(t *testing.T) {
	want := `answered 200 with what is no text of metrics: line 2: bufio.Scanner: token too long; it begins "\n` + strings.Repeat("x", 79) + `"`
	assert.Equal(t, want, asked(t, "gates", 200, "text/plain", "\n"+strings.Repeat("x", 1<<20+1)))
}
