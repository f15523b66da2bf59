package client

import (
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// streaming connects to a server that answers with the handler, within limits.
func streaming(t *testing.T, l limits, handle http.HandlerFunc) *Connection {
	server := httptest.NewTLSServer(handle)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	c, err := connect(Endpoint{URL: server.URL, CAData: ca, Token: "t"}, l)
	require.NoError(t, err)
	return c
}

// TestStream: lines come as they are sent, for longer than any answer may take
// and for more bytes than any may have.
func TestStream(t *testing.T) {
	t.Parallel()
	l := usual()
	l.within, l.body = 2*time.Second, 64
	late := make(chan struct{})
	c := streaming(t, l, func(rw http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "watch=true", r.URL.RawQuery)
		for i := range 20 {
			fmt.Fprintf(rw, "line %d of some length\n", i)
			rw.(http.Flusher).Flush()
			if i == 0 {
				<-late
			}
		}
	})
	s, a := c.Stream(t.Context(), Request{Method: "GET", Path: "/x", Query: map[string]string{"watch": "true"}})
	require.NotNil(t, s, "%+v", a)
	defer s.Close()
	assert.Equal(t, 200, a.Code)
	time.AfterFunc(l.within, func() { close(late) })
	for i := range 20 {
		line, err := s.Next()
		require.NoError(t, err)
		assert.Equal(t, fmt.Sprintf("line %d of some length", i), string(line))
	}
	_, err := s.Next()
	assert.Equal(t, io.EOF, err)
}

// TestStreamRefused: what does not begin says why, a Status or silence.
func TestStreamRefused(t *testing.T) {
	c := streaming(t, usual(), func(rw http.ResponseWriter, _ *http.Request) {
		rw.WriteHeader(410)
		fmt.Fprint(rw, `{"kind":"Status","reason":"Expired","message":"too old"}`)
	})
	s, a := c.Stream(t.Context(), Request{Method: "GET", Path: "/x"})
	assert.Nil(t, s)
	assert.Equal(t, 410, a.Code)
	assert.Equal(t, "too old", a.Status.Message)
	l := usual()
	l.within = 50 * time.Millisecond
	c = streaming(t, l, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	s, a = c.Stream(t.Context(), Request{Method: "GET", Path: "/x"})
	assert.Nil(t, s)
	assert.ErrorContains(t, a.Err, "no answer within 50ms")
	_, a = c.Stream(t.Context(), Request{Method: "GET", Path: "%"})
	assert.Error(t, a.Err)
}

// TestStreamEnds: a stream ends with its context, when it is closed, and when it
// breaks, whoever waits.
func TestStreamEnds(t *testing.T) {
	endless := func(rw http.ResponseWriter, r *http.Request) {
		rw.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	for name, end := range map[string]func(s *Stream, cancel func()){
		"context": func(_ *Stream, cancel func()) { cancel() },
		"close":   func(s *Stream, _ func()) { s.Close() },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		s, a := streaming(t, usual(), endless).Stream(ctx, Request{Method: "GET", Path: "/x"})
		require.NotNil(t, s, "%s: %+v", name, a)
		time.AfterFunc(20*time.Millisecond, func() { end(s, cancel) })
		_, err := s.Next()
		assert.Error(t, err, name)
		cancel()
	}
}

// TestStreamLine: a line that is longer than any event must be ends the stream.
func TestStreamLine(t *testing.T) {
	s := newStream(io.NopCloser(strings.NewReader("short\n"+strings.Repeat("x", 100)+"\n")), func() {}, 50)
	line, err := s.Next()
	require.NoError(t, err)
	assert.Equal(t, "short", string(line))
	_, err = s.Next()
	assert.Equal(t, ErrLongLine, err)
}
