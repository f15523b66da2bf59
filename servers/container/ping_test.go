package container

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/moby/moby/client"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPing: Ping succeeds while the engine answers and fails when it is gone.
func TestPing(t *testing.T) {
	server := httptest.NewServer(&restarting{})
	defer server.Close()
	api, err := client.New(client.WithHost("tcp://" + strings.TrimPrefix(server.URL, "http://")))
	require.NoError(t, err)
	defer api.Close()
	e := &Engine{api: api}
	require.NoError(t, e.Ping(t.Context()))
	server.Close()
	assert.ErrorAs(t, e.Ping(t.Context()), new(*EngineError))
}
