package client_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/client"
)

// raw serves bytes as they are, over TLS, and ends the connection after them.
func raw(t *testing.T, answer string) *client.Connection {
	return serve(t, func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_, _ = io.WriteString(conn, answer)
			_ = conn.Close()
		}
	})
}

// TestBrokenAnswers: half an answer is no answer, and says how far it came.
func TestBrokenAnswers(t *testing.T) {
	for name, c := range map[string]struct{ answer, want string }{
		"nothing":                  {"", "EOF"},
		"not HTTP":                 {"SSH-2.0-x\r\n", "malformed HTTP response"},
		"half a header":            {"HTTP/1.1 200 OK\r\nContent-Le", "malformed MIME header"},
		"an invalid header":        {"HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "malformed MIME header"},
		"an odd code":              {"HTTP/1.1 2x0 OK\r\n\r\n", "malformed HTTP status code"},
		"lengths that differ":      {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "Content-Length"},
		"a length below zero":      {"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nab", "Content-Length"},
		"a body cut":               {"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", "answer 200, after 1 of 100 bytes: unexpected EOF"},
		"a huge length, cut":       {"HTTP/1.1 200 OK\r\nContent-Length: 9000000000000000000\r\n\r\n{", "answer 200, after 1 of 9000000000000000000 bytes: unexpected EOF"},
		"chunks without an end":    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n", "answer 200, after 2 bytes: unexpected EOF"},
		"a chunk cut":              {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{}", "answer 200, after 2 bytes: unexpected EOF"},
		"a chunk of no length":     {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "answer 200, after 0 bytes: invalid byte in chunk length"},
		"a chunk of more than all": {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", "answer 200, after 0 bytes: http chunk length too large"},
		"switching protocols":      {"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", ""},
	} {
		a := get(t, raw(t, c.answer), "/x")
		if c.want == "" { // an answer, whatever it is worth
			assert.False(t, a.Succeeded(), name)
			continue
		}
		assert.ErrorContains(t, a.Err, c.want, name)
		assert.Zero(t, a.Code, name)
		assert.Empty(t, a.Body, name)
		assert.False(t, a.TimedOut(), name)
	}
}

// TestStreamResets: over HTTP/2 a server ends one answer, and the connection lives on.
func TestStreamResets(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/before":
			panic(http.ErrAbortHandler)
		case "/within":
			_, _ = io.WriteString(w, "{")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
		assert.Equal(t, 2, r.ProtoMajor)
		_, _ = io.WriteString(w, "{}")
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	c := connect(t, endpoint(server))
	for path, want := range map[string]string{
		"/before": "stream error: stream ID ", "/within": "answer 200, after 1 bytes: stream error: stream ID ",
	} {
		for range 3 {
			a := get(t, c, path)
			assert.ErrorContains(t, a.Err, want)
			assert.ErrorContains(t, a.Err, "INTERNAL_ERROR")
			assert.Zero(t, a.Code)
		}
	}
	assert.NoError(t, get(t, c, "/whole").Err)
}

// TestPackedAnswers are bytes like any other: no one asked for packing, and
// what is not unpacked cannot grow.
func TestPackedAnswers(t *testing.T) {
	for _, encoding := range []string{"gzip", "br", "x"} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			assert.Empty(t, r.Header.Get("Accept-Encoding"))
			w.Header().Set("Content-Encoding", encoding)
			_, _ = io.WriteString(w, "\x1f\x8b\x08garbage")
		})
		a := get(t, c, "/x")
		assert.NoError(t, a.Err)
		assert.Equal(t, "\x1f\x8b\x08garbage", string(a.Body))
	}
}

// TestWarningFlood: as many warnings as a reader can take are kept, and how
// many there were.
func TestWarningFlood(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Add("Warning", `299 - "`+strings.Repeat("é", 5000)+`"`)
		for i := range 5000 {
			w.Header().Add("Warning", fmt.Sprintf(`299 - "unknown field \"a%d\""`, i))
		}
		w.Header().Add("Warning", `299 - "not closed`)
		w.Header().Add("Warning", strings.Repeat(" ", 10000))
	})
	a := get(t, c, "/x")
	require.NoError(t, a.Err)
	require.Len(t, a.Warnings, 101)
	assert.Equal(t, strings.Repeat("é", 2048)+"... (10000 bytes)", a.Warnings[0])
	assert.Equal(t, `unknown field "a0"`, a.Warnings[1])
	assert.Equal(t, "(skewsim: 4901 more warnings are left out)", a.Warnings[100])
}

// TestHeaderFlood: a header may be of a MiB, and a longer one is an error.
func TestHeaderFlood(t *testing.T) {
	for size, refused := range map[int]bool{1 << 19: false, 1 << 21: true, 1 << 25: true} {
		a := get(t, serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Flood", strings.Repeat("x", size))
		}), "/x")
		assert.Equal(t, refused, a.Err != nil, size)
		if refused {
			assert.ErrorContains(t, a.Err, "response headers exceeded", size)
		}
	}
}

// TestBrokenStatus: what only looks like a Status is a body, not a Status.
func TestBrokenStatus(t *testing.T) {
	deep := strings.Repeat(`{"details":`, 20000) + strings.Repeat("}", 20000)
	for name, body := range map[string]string{
		"a code that is text":  `{"kind":"Status","code":"500"}`,
		"a message of numbers": `{"kind":"Status","message":[1]}`,
		"another kind":         `{"kind":"Gadget","message":"x"}`,
		"deep":                 deep,
		"huge":                 `{"kind":"Status","message":"` + strings.Repeat("x", 2<<20) + `"}`,
	} {
		a := get(t, answering(t, 500, "application/json", body), "/x")
		assert.Nil(t, a.Status, name)
		assert.Len(t, a.Body, len(body), name)
		assert.NoError(t, a.Err, name)
	}
	a := get(t, answering(t, 500, "application/json", `{"kind":"Status","details":null,"code":200,"status":7e3}`), "/x")
	assert.Nil(t, a.Status)
	assert.Equal(t, 500, a.Code, "the code is that of the answer, whatever its body says")
}
