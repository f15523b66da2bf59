package client

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestStreamPanics: a stream that breaks off, or does not begin, returns the panic in the
// server's log for its request. It returns none if the log has none, if the server ends the
// stream normally, or if the reader has ended it.
func TestStreamPanics(t *testing.T) {
	t.Parallel()
	var asked, logged []string // audit IDs
	c := streaming(t, usual(), func(rw http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("Audit-ID")
		if r.URL.Query().Get("log") != "" {
			logged = append(logged, id)
		}
		switch r.URL.Path {
		case "/at-once":
			panic(http.ErrAbortHandler)
		case "/500":
			http.Error(rw, "This request caused apiserver to panic. Look in the logs for details.", http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(rw, "a line")
		rw.(http.Flusher).Flush()
		switch r.URL.Path {
		case "/later":
			panic(http.ErrAbortHandler)
		case "/endless":
			<-r.Context().Done()
		}
	})
	c.panicked = func(_ context.Context, id string) *Panic {
		asked = append(asked, id)
		for _, l := range logged {
			if l == id {
				return &Panic{Value: "nil"}
			}
		}
		return nil
	}
	for _, path := range []string{"/at-once", "/500", "/later"} {
		assert.NotNil(t, c.panicOf(t.Context(), path, "yes", nil), path)
		assert.Nil(t, c.panicOf(t.Context(), path, "", nil), path)
	}
	before := len(asked)
	assert.Nil(t, c.panicOf(t.Context(), "/ends", "yes", nil))
	ctx, end := context.WithCancel(t.Context())
	assert.Nil(t, c.panicOf(ctx, "/endless", "yes", end))
	assert.Len(t, asked, before, "a log is read of what broke off alone")
}

// panicOf opens a stream, reads it to its end and returns the panic that it came to.
func (c *Connection) panicOf(ctx context.Context, path, log string, afterFirst func()) *Panic {
	s, a := c.Stream(ctx, Request{Method: http.MethodGet, Path: path, Query: map[string]string{"log": log}})
	if s == nil {
		return a.Panic
	}
	defer s.Close()
	for {
		if _, err := s.Next(); err != nil {
			return s.Panic()
		}
		if afterFirst != nil {
			afterFirst()
		}
	}
}
