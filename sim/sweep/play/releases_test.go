package play

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/objects/try"
)

// TestRestartIsAnnounced: a server that gives no answer while objects are tried is named when it is started again, and
// the request is answered. Near twin: one that answers is not named.
func TestRestartIsAnnounced(t *testing.T) {
	for name, live := range map[string]bool{"a server that ended": false, "one that answers": true} {
		answers := func() *httptest.Server {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{}`)) }))
			t.Cleanup(server.Close)
			return server
		}
		connect := func(to *httptest.Server) *client.Connection {
			conn, err := client.Connect(client.Endpoint{URL: to.URL})
			require.NoError(t, err)
			return conn
		}
		first, second := answers(), answers()
		if !live {
			first.Close()
		}
		var out bytes.Buffer
		s := &session{host: Host{Out: &out}, builds: map[term.Role]servers.Build{term.Old: {}}}
		server := try.NewServer(connect(first), s.announced("default-old", term.Old, func(context.Context) (*client.Connection, error) { return connect(second), nil }))
		a := server.Do(t.Context(), client.Request{Method: http.MethodGet, Path: "/x"})
		assert.True(t, a.Succeeded(), name)
		assert.Equal(t, !live, bytes.Contains(out.Bytes(), []byte("server default-old")), name)
	}
}
