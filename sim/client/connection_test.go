package client_test

import (
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/client"
)

// serve starts a TLS server and connects to it as to a replica.
func serve(t *testing.T, handler http.HandlerFunc) *client.Connection {
	t.Helper()
	server := httptest.NewTLSServer(handler)
	t.Cleanup(server.Close)
	return connect(t, endpoint(server))
}

func endpoint(s *httptest.Server) client.Endpoint {
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	return client.Endpoint{URL: s.URL, CAData: ca, Token: "secret-token"}
}

func connect(t *testing.T, e client.Endpoint) *client.Connection {
	t.Helper()
	c, err := client.Connect(e)
	require.NoError(t, err)
	return c
}

// answering serves one answer to everything.
func answering(t *testing.T, code int, contentType, body string) *client.Connection {
	return serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	})
}

func get(t *testing.T, c *client.Connection, path string) client.Answer {
	t.Helper()
	return c.Do(t.Context(), client.Request{Method: http.MethodGet, Path: path})
}

func TestRequest(t *testing.T) {
	var got *http.Request
	var body []byte
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
	})
	a := c.Do(t.Context(), client.Request{
		Method: http.MethodPatch, Path: "/apis/example.dev/v1/namespaces/n/gadgets/x", Query: map[string]string{"dryRun": "All"},
		ContentType: "application/merge-patch+json", Body: []byte(`{"a":1}`), UserAgent: "skewsim-dynamic",
	})
	require.True(t, a.Succeeded())
	assert.Equal(t, "PATCH", got.Method)
	assert.Equal(t, "/apis/example.dev/v1/namespaces/n/gadgets/x", got.URL.Path)
	assert.Equal(t, "All", got.URL.Query().Get("dryRun"))
	assert.Equal(t, "Bearer secret-token", got.Header.Get("Authorization"))
	assert.Equal(t, "application/merge-patch+json", got.Header.Get("Content-Type"))
	assert.Equal(t, "application/json", got.Header.Get("Accept"))
	assert.Equal(t, "skewsim-dynamic", got.Header.Get("User-Agent"))
	assert.Equal(t, `{"a":1}`, string(body))
}

// TestApplyArrivesAsItIs: the body of an apply is read as YAML, and means there what it means as JSON. Near twin: another
// patch, which is read as JSON.
func TestApplyArrivesAsItIs(t *testing.T) {
	var got []byte
	c := serve(t, func(_ http.ResponseWriter, r *http.Request) { got, _ = io.ReadAll(r.Body) })
	const sent = "{\"a\":\"x\u0085y\u007f\"}"
	for contentType, want := range map[string]string{"application/apply-patch+yaml": `{"a":"x\u0085y\u007f"}`, "application/merge-patch+json": sent} {
		a := c.Do(t.Context(), client.Request{Method: http.MethodPatch, Path: "/x", ContentType: contentType, Body: []byte(sent)})
		require.True(t, a.Succeeded())
		assert.Equal(t, want, string(got))
	}
}

// TestEscapedNames arrive as they were named.
func TestEscapedNames(t *testing.T) {
	var got string
	c := serve(t, func(_ http.ResponseWriter, r *http.Request) { got = r.URL.EscapedPath() })
	at := client.Resource{APIVersion: "v1", Plural: "gadgets"}.Object("x:y z")
	get(t, c, at)
	assert.Equal(t, "/api/v1/gadgets/x:y%20z", got)
}

// TestOnce: whatever the answer says of trying again, a request is sent once.
func TestOnce(t *testing.T) {
	for _, code := range []int{307, 429, 500, 502, 503, 504} {
		for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodPost} {
			var requests atomic.Int32
			c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				requests.Add(1)
				w.Header().Set("Retry-After", "1")
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(code)
			})
			a := c.Do(t.Context(), client.Request{Method: method, Path: "/x", ContentType: client.JSONContent, Body: []byte("{}")})
			assert.Equal(t, code, a.Code)
			assert.NoError(t, a.Err)
			assert.False(t, a.Succeeded())
			assert.Equal(t, int32(1), requests.Load(), "%s answered %d", method, code)
		}
	}
}

func TestWarnings(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Add("Warning", `299 - "unknown field \"spec.later\""`)
		w.Header().Add("Warning", `299 - "second, with a comma"`)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{}")
	})
	assert.Equal(t, []string{`unknown field "spec.later"`, "second, with a comma"}, get(t, c, "/x").Warnings)
}

// TestStatus: the server's own words are kept, not a library's phrase for them.
func TestStatus(t *testing.T) {
	const status = `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"gadgets \"x\" is odd","reason":"Invalid","code":422}`
	a := get(t, answering(t, 422, "application/json", status), "/x")
	require.NotNil(t, a.Status)
	assert.Equal(t, `gadgets "x" is odd`, a.Status.Message)
	assert.Equal(t, "Invalid", string(a.Status.Reason))
	assert.Equal(t, status, string(a.Body))
	assert.Equal(t, 422, a.Code)
	assert.NoError(t, a.Err)
}

// TestBodies keeps whatever came, and takes only a Status for one.
func TestAnswerBodies(t *testing.T) {
	for name, c := range map[string]struct {
		code              int
		contentType, body string
	}{
		"an object":          {200, "application/json", `{"kind":"Gadget"}`},
		"text":               {200, "text/plain; version=0.0.4", "a 1\n"},
		"text, refused":      {404, "text/plain", "404 page not found\n"},
		"invalid JSON":       {200, "application/json", "<html>"},
		"JSON that is cut":   {500, "application/json", `{"kind":"Status"`},
		"no type of content": {500, "", "x"},
		"nothing":            {200, "application/json", ""},
		"an odd type":        {200, "application/vnd.example+thing", "\x00\xff"},
		"a Status of a kind": {200, "application/json", `{"kind":["Status"]}`},
	} {
		a := get(t, answering(t, c.code, c.contentType, c.body), "/x")
		assert.Equal(t, c.code, a.Code, name)
		assert.Equal(t, c.body, string(a.Body), name)
		assert.Nil(t, a.Status, name)
		assert.NoError(t, a.Err, name)
		assert.Equal(t, c.code == 200, a.Succeeded(), name)
	}
}

func TestNoAnswer(t *testing.T) {
	closed := httptest.NewTLSServer(http.NotFoundHandler())
	gone := endpoint(closed)
	closed.Close()
	a := get(t, connect(t, gone), "/x")
	assert.ErrorContains(t, a.Err, "connection refused")
	assert.Zero(t, a.Code)
	assert.False(t, a.Succeeded())

	stranger := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(stranger.Close)
	unknown := endpoint(stranger)
	unknown.URL = strings.Replace(unknown.URL, "127.0.0.1", "localhost", 1)
	a = get(t, connect(t, unknown), "/x")
	assert.ErrorContains(t, a.Err, "tls: failed to verify certificate")

	cut := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "{")
	})
	a = get(t, cut, "/x")
	assert.ErrorContains(t, a.Err, "unexpected EOF")
	assert.Zero(t, a.Code)
}

// TestServerThatNeverAnswers is bounded by the context alone.
func TestServerThatNeverAnswers(t *testing.T) {
	asked, free := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(free) })
	c := serveUntil(t, free, func() { close(asked) })
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	a := c.Do(ctx, client.Request{Method: http.MethodGet, Path: "/x"})
	assert.ErrorIs(t, a.Err, context.Canceled)
	assert.Zero(t, a.Code)

	expired, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	a = c.Do(expired, client.Request{Method: http.MethodGet, Path: "/x"})
	assert.ErrorIs(t, a.Err, context.DeadlineExceeded)
}

// serveUntil holds every request until free is closed.
func serveUntil(t *testing.T, free <-chan struct{}, asked func()) *client.Connection {
	server := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked()
		select {
		case <-free:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(server.CloseClientConnections)
	return connect(t, endpoint(server))
}

func TestConnectRefuses(t *testing.T) {
	_, err := client.Connect(client.Endpoint{URL: "https://127.0.0.1:1", CAData: []byte("no certificate")})
	assert.EqualError(t, err, "connect to https://127.0.0.1:1: unable to load root certificates: unable to parse bytes as PEM block")
}

func ExampleResource() {
	r := client.Resource{APIVersion: "apps/v1", Plural: "gadgets", Namespace: "demo"}
	fmt.Println(r.Object("one"))
	// Output: /apis/apps/v1/namespaces/demo/gadgets/one
}

// TestLargeAnswers: what is kept of an answer is what the server sent, and little more memory than that, however long
// the answers before were.
func TestLargeAnswers(t *testing.T) {
	var next atomic.Int64
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		for left := int(next.Load()); left > 0; left -= 1 << 10 { // piece by piece, without a length
			_, _ = io.WriteString(w, strings.Repeat("x", min(left, 1<<10)))
		}
	})
	for i, size := range []int{3 << 20, 3<<20 + 999, 5, 2 << 20, 4 << 20} {
		next.Store(int64(size))
		a := c.Do(t.Context(), client.Request{Method: http.MethodGet, Path: "/api/v1/large"})
		require.NoError(t, a.Err)
		assert.Len(t, a.Body, size)
		assert.Equal(t, size, strings.Count(string(a.Body), "x"))
		assert.LessOrEqual(t, cap(a.Body), max(1<<10, 2*size), i)
	}
}
