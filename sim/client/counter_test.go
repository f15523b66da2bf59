package client_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/client"
)

// TestCounter: the values of one metric are read by their labels, and no other metric's that
// begins with the same name.
func TestCounter(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(rw, `# HELP found_total What was found.
# TYPE found_total counter
found_total{what="a",text="x } y"} 3
found_total{what="b"} 1e+06
found_total 2
found_total_created{what="a"} 7
found 9
`)
	}))
	t.Cleanup(server.Close)
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	got, err := client.Counter(t.Context(), conn, "found_total")
	require.NoError(t, err)
	assert.Equal(t, map[string]float64{`what="a",text="x } y"`: 3, `what="b"`: 1e6, "": 2}, got)
	got, err = client.Counter(t.Context(), conn, "none_total")
	require.NoError(t, err)
	assert.Empty(t, got)
}
