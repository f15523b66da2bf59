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
	"github.com/skewsim/skewsim/sim/probe"
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

// process is a server's process, of which only the end is known.
type process struct {
	servers.Process
	err error
}

func (p process) Err() error { return p.err }

// TestLend: a lap's server is lent to runs that would start the same: a build with the same definitions, and options
// that say the same. One that has ended is not lent.
func TestLend(t *testing.T) {
	build := servers.Build{Version: "v1", Digest: "d", Installs: &servers.Installation{Defines: []string{"a", "b"}}}
	options := servers.Options{FeatureGates: map[string]bool{"Glow": true}, RuntimeConfig: map[string]bool{}}
	ended := build
	ended.Version = "ended"
	conn := &client.Connection{}
	at := lapServers{
		term.Old: {Server: &probe.Server{Build: ended, Options: options, Conn: conn, Process: process{err: assert.AnError}}},
		term.New: {Server: &probe.Server{Build: build, Options: options, Conn: conn, Process: process{}}},
	}
	same, fewer := build, build
	same.Installs = &servers.Installation{Defines: []string{"a", "b"}}
	fewer.Installs = &servers.Installation{Defines: []string{"a"}}
	assert.Same(t, conn, at.lend(same, servers.Options{FeatureGates: map[string]bool{"Glow": true}, Flags: []string{}}))
	assert.Nil(t, at.lend(fewer, options), "without a definition")
	assert.Nil(t, at.lend(ended, options))
	for name, other := range map[string]servers.Options{
		"a gate less":   {},
		"a gate off":    {FeatureGates: map[string]bool{"Glow": false}},
		"an API more":   {FeatureGates: options.FeatureGates, RuntimeConfig: map[string]bool{"api/all": true}},
		"a flag":        {FeatureGates: options.FeatureGates, Flags: []string{"--v=2"}},
		"encryption":    {FeatureGates: options.FeatureGates, Encryption: &servers.Encryption{Provider: "aescbc"}},
		"another minor": {FeatureGates: options.FeatureGates, EmulatedVersion: "1.36"},
	} {
		assert.Nil(t, at.lend(build, other), name)
	}
	assert.Nil(t, lapServers{}.lend(build, options))
}
