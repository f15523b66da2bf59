package client

import (
	"context"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAnswersAreBounded: an answer of just the limit is whole; one byte more is
// an error, however much would follow.
func TestAnswersAreBounded(t *testing.T) {
	const limit = 1 << 16
	for size, want := range map[int]string{
		0: "", limit - 1: "", limit: "", limit + 1: "the answer is longer than 65536 bytes", 1 << 24: "the answer is longer than 65536 bytes",
	} {
		server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat("x", size))
		}))
		ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
		c, err := connect(Endpoint{URL: server.URL, CAData: ca}, limit)
		require.NoError(t, err)
		a := c.Do(context.Background(), Request{Method: http.MethodGet, Path: "/x"})
		server.Close()
		if want == "" {
			assert.NoError(t, a.Err, size)
			assert.Len(t, a.Body, size)
			continue
		}
		assert.ErrorContains(t, a.Err, want, size)
		assert.Zero(t, a.Code, size)
		assert.Empty(t, a.Body, size)
	}
}
