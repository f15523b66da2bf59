package probe

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

// fakeRuntime starts servers that answer over HTTP, with the dependencies of gates that real
// servers have.
type fakeRuntime struct {
	needs  map[string]string // the gate that each gate needs
	broken error             // no server starts, because of this
	mute   bool              // a server that starts answers nothing

	secrets string
	placed  []servers.Placement
	killed  int
	closed  bool
}

func (r *fakeRuntime) Start(_ context.Context, b servers.Build, at servers.Placement) (servers.Process, error) {
	gates := map[string]bool{}
	for gate, on := range at.Options.FeatureGates {
		gates[gate] = on
	}
	at.Options.FeatureGates = gates // the caller may change its own later
	r.placed = append(r.placed, at)
	if r.broken != nil {
		return nil, r.broken
	}
	for gate := range gates {
		if needed, needs := r.needs[gate]; needs && !gates[needed] {
			return nil, &servers.ExitError{Name: at.Name, Build: b.Reference, Tail: []string{
				gate + " is enabled, but depends on features that are disabled: [" + needed + "]"}}
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if r.mute {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"gitVersion": "v1.2.3"}`))
	}))
	return fakeProcess{r, at.Name, server}, nil
}

func (r *fakeRuntime) Close() error {
	r.closed = true
	return os.RemoveAll(r.secrets)
}

type fakeProcess struct {
	of     *fakeRuntime
	name   string
	server *httptest.Server
}

func (p fakeProcess) Name() string                   { return p.name }
func (p fakeProcess) Endpoint() servers.Endpoint     { return servers.Endpoint{URL: p.server.URL} }
func (p fakeProcess) ReadyAfter() time.Duration      { return 0 }
func (p fakeProcess) Done() <-chan struct{}          { return nil }
func (p fakeProcess) Err() error                     { return nil }
func (p fakeProcess) LogPath() string                { return "" }
func (p fakeProcess) Stop(ctx context.Context) error { p.Kill(); return ctx.Err() }
func (p fakeProcess) Kill()                          { p.of.killed++; p.server.Close() }

// config returns a configuration that uses the runtime, and the directory that receives all
// temporary directories.
func config(t *testing.T, r *fakeRuntime) (c Config, temporary string) {
	t.Helper()
	temporary = t.TempDir()
	t.Setenv("TMPDIR", temporary)
	return Config{
		Build: servers.Build{Reference: "fake@1.2", Version: "v1.2.3"},
		Runtime: func(secrets, logs string) (servers.Runtime, error) {
			r.secrets = secrets
			return r, errors.Join(os.MkdirAll(secrets, 0o700), os.MkdirAll(logs, 0o700))
		},
	}, temporary
}

// TestClose: a started server is connected, and reports its version. Close kills the server, closes
// the runtime and the store, and removes the directory with the secrets.
func TestClose(t *testing.T) {
	r := &fakeRuntime{}
	c, temporary := config(t, r)
	var told string
	c.Temporary = func(dir string) { told = dir }
	s, err := Start(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, "v1.2.3", s.Version)
	assert.Equal(t, "probe", s.Process.Name())
	assert.DirExists(t, filepath.Join(told, "secrets"))
	assert.Equal(t, []string{told}, left(t, temporary))
	assert.True(t, accepts(t, s.Store))

	require.NoError(t, s.Close())
	assert.Equal(t, 1, r.killed)
	assert.True(t, r.closed)
	assert.False(t, accepts(t, s.Store))
	assert.Empty(t, left(t, temporary))
	require.NoError(t, s.Close(), "a second time")
	assert.Equal(t, 1, r.killed)
}

// TestRestart: a restarted server has a name of its own, the same store and the gates that were
// found, and is connected anew; Close ends it too.
func TestRestart(t *testing.T) {
	r := &fakeRuntime{needs: map[string]string{"Glow": "Light"}}
	c, temporary := config(t, r)
	c.Options.FeatureGates = map[string]bool{"Glow": true}
	s, err := Start(t.Context(), c)
	require.NoError(t, err)
	first := s.Conn
	conn, err := s.Restart(t.Context())
	require.NoError(t, err)
	assert.NotSame(t, first, conn)
	assert.Len(t, s.LogPaths(), 2)
	require.Len(t, r.placed, 3)
	assert.Equal(t, "probe-3", r.placed[2].Name)
	assert.Equal(t, r.placed[1].Store, r.placed[2].Store)
	assert.Equal(t, r.placed[1].Options.FeatureGates, r.placed[2].Options.FeatureGates)
	require.NoError(t, s.Close())
	assert.Empty(t, left(t, temporary))

	r.broken = assert.AnError
	_, err = (&Server{Process: s.Process, again: func(context.Context) error { return assert.AnError }}).Restart(t.Context())
	require.ErrorIs(t, err, assert.AnError)
}

// TestGivenStore: a store that Config names outlives the server.
func TestGivenStore(t *testing.T) {
	owner, _ := config(t, &fakeRuntime{})
	first, err := Start(t.Context(), owner)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, first.Close()) })

	r := &fakeRuntime{}
	c, temporary := config(t, r)
	c.Store, c.Name = &first.Store, "second"
	second, err := Start(t.Context(), c)
	require.NoError(t, err)
	assert.Nil(t, second.Etcd)
	assert.Equal(t, first.Store, r.placed[0].Store)
	require.NoError(t, second.Close())
	assert.True(t, accepts(t, first.Store))
	assert.Empty(t, left(t, temporary))
}

// TestFailedStart: a start that fails at any point leaves no store, no runtime and no directory.
func TestFailedStart(t *testing.T) {
	for name, c := range map[string]struct {
		runtime   fakeRuntime
		noRuntime error // of Config.Runtime
		killed    int
	}{
		"no runtime":                 {noRuntime: assert.AnError},
		"the server ends":            {runtime: fakeRuntime{broken: assert.AnError}},
		"the server has no /version": {runtime: fakeRuntime{mute: true}, killed: 1},
	} {
		t.Run(name, func(t *testing.T) {
			of, temporary := config(t, &c.runtime)
			if c.noRuntime != nil {
				of.Runtime = func(string, string) (servers.Runtime, error) { return nil, c.noRuntime }
			}
			s, err := Start(t.Context(), of)
			require.Error(t, err)
			assert.Nil(t, s)
			assert.Equal(t, c.killed, c.runtime.killed)
			assert.Equal(t, c.noRuntime == nil, c.runtime.closed)
			assert.Empty(t, left(t, temporary))
			for _, at := range c.runtime.placed {
				assert.False(t, accepts(t, at.Store))
			}
		})
	}
}

// TestKeptLogs: the log of a server that does not start stays, and that of one that started goes with it.
func TestKeptLogs(t *testing.T) {
	for name, r := range map[string]*fakeRuntime{"starts": {}, "does not start": {broken: errors.New("no")}, "answers nothing": {mute: true}} {
		c, _ := config(t, r)
		c.Name, c.Logs = "named", filepath.Join(t.TempDir(), "logs")
		log := filepath.Join(c.Logs, "named.log")
		require.NoError(t, os.MkdirAll(c.Logs, 0o700))
		require.NoError(t, os.WriteFile(log, nil, 0o600))
		s, err := Start(t.Context(), c)
		if name == "starts" {
			require.NoError(t, err)
			require.NoError(t, s.Close())
			assert.Empty(t, left(t, c.Logs))
			continue
		}
		require.Error(t, err, name)
		assert.FileExists(t, log, name)
	}
}

// TestFollowedGates: a gate that a switched gate needs is switched too, and what that one needs in
// turn; each start has a name of its own.
func TestFollowedGates(t *testing.T) {
	r := &fakeRuntime{needs: map[string]string{"Glow": "Light", "Light": "Base"}}
	c, _ := config(t, r)
	given := map[string]bool{"Glow": true}
	c.Options.FeatureGates = given
	s, err := Start(t.Context(), c)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	assert.Equal(t, map[string]bool{"Glow": true, "Light": true, "Base": true}, s.Gates)
	assert.Equal(t, map[string]bool{"Glow": true}, given, "the caller's map")
	require.Len(t, r.placed, 3)
	assert.Equal(t, []string{"probe", "probe-2", "probe-3"}, []string{r.placed[0].Name, r.placed[1].Name, r.placed[2].Name})
}

// TestGivenGate: a gate that Options switch off stays off, and the error is the server's.
func TestGivenGate(t *testing.T) {
	r := &fakeRuntime{needs: map[string]string{"Glow": "Light"}}
	c, temporary := config(t, r)
	c.Options.FeatureGates = map[string]bool{"Glow": true, "Light": false}
	_, err := Start(t.Context(), c)
	var exit *servers.ExitError
	require.ErrorAs(t, err, &exit)
	assert.ErrorContains(t, err, "fake@1.2")
	assert.Len(t, r.placed, 1, "no further start can help")
	assert.Empty(t, left(t, temporary))
}

// TestManyGates: a server whose gates always need another one is given up.
func TestManyGates(t *testing.T) {
	r := &fakeRuntime{needs: map[string]string{}}
	for gate := 'A'; gate < 'Z'; gate++ {
		r.needs[string(gate)] = string(gate + 1)
	}
	c, _ := config(t, r)
	c.Options.FeatureGates = map[string]bool{"A": true}
	_, err := Start(t.Context(), c)
	require.Error(t, err)
	assert.Less(t, len(r.placed), len(r.needs), "it is not tried for ever")
}

// TestEveryAPI: EveryAPI serves all versions, except those that Options switch off.
func TestEveryAPI(t *testing.T) {
	r := &fakeRuntime{}
	c, _ := config(t, r)
	c.EveryAPI, c.Options.RuntimeConfig = true, map[string]bool{"example.dev/v1": false}
	s, err := Start(t.Context(), c)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	served := r.placed[0].Options.RuntimeConfig
	assert.False(t, served["example.dev/v1"])
	assert.Greater(t, len(served), 1)
	assert.Len(t, c.Options.RuntimeConfig, 1, "the caller's map")
}

// left returns the entries of a directory.
func left(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		all = append(all, filepath.Join(dir, e.Name()))
	}
	return all
}

// accepts reports whether something listens where a store is.
func accepts(t *testing.T, s servers.Store) bool {
	t.Helper()
	at, err := url.Parse(s.Endpoint)
	require.NoError(t, err)
	conn, err := net.DialTimeout("tcp", at.Host, time.Second)
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}
