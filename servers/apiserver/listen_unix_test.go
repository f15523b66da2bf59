//go:build unix

package apiserver

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/process"
)

// self is a child that is this process.
type self struct{ Child }

func (self) PID() int { return os.Getpid() }

// boxed is a child without a local process ID.
type boxed struct{ Child }

// TestOnLoopback: a server that listens on all interfaces is refused; the same server on
// loopback is not.
func TestOnLoopback(t *testing.T) {
	needProc(t)
	for _, c := range []struct {
		listen string
		child  Child
		want   string // where its flags say
	}{
		{"127.0.0.1:0", self{}, ""},
		{"127.0.0.2:0", self{}, ""},
		{"0.0.0.0:0", self{}, "0.0.0.0:"},
		{"127.0.0.1:0", boxed{}, ""},
		{"0.0.0.0:0", boxed{}, "0.0.0.0:"},
	} {
		l, err := sharing().Listen(context.Background(), "tcp4", c.listen)
		require.NoError(t, err)
		s := &server{name: "a", build: servers.Build{Reference: "path:x"}, child: c.child, port: &port{number: l.Addr().(*net.TCPAddr).Port}}
		err = s.onLoopback()
		require.NoError(t, l.Close())
		if c.want == "" {
			assert.NoError(t, err, "%s %T", c.listen, c.child)
			continue
		}
		require.ErrorContains(t, err, "server a (path:x): listens on "+c.want, "%s %T", c.listen, c.child)
		assert.ErrorAs(t, err, new(*servers.RequestError))
	}
}

// TestOnLoopbackOfOthers: the sockets of another process do not count.
func TestOnLoopbackOfOthers(t *testing.T) {
	needProc(t)
	l, err := net.Listen("tcp4", "0.0.0.0:0")
	require.NoError(t, err)
	defer l.Close()
	child, err := process.Start(process.Command{Path: "/bin/sleep", Args: []string{"600"}, LogPath: filepath.Join(t.TempDir(), "a.log")})
	require.NoError(t, err)
	t.Cleanup(child.Kill)
	s := &server{name: "a", child: child, port: &port{number: l.Addr().(*net.TCPAddr).Port}}
	assert.NoError(t, s.onLoopback())
}

func needProc(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/proc/net/tcp"); err != nil {
		t.Skip("the kernel does not list sockets here")
	}
}

// TestMain runs the test binary as an API server when it is started as one.
func TestMain(m *testing.M) {
	given := map[string]string{}
	for _, arg := range os.Args[1:] {
		name, value, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		given[name] = value
	}
	if given["secure-port"] == "" {
		os.Exit(m.Run())
	}
	l, err := sharing().Listen(context.Background(), "tcp", net.JoinHostPort(given["bind-address"], given["secure-port"]))
	if err == nil {
		err = http.ServeTLS(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"gitVersion":"v1"}`)
		}), given["tls-cert-file"], given["tls-private-key-file"])
	}
	fmt.Println(err)
	os.Exit(1)
}

// TestStartRefusesOpenServers: a server that is ready and listens on all interfaces is ended.
func TestStartRefusesOpenServers(t *testing.T) {
	needProc(t)
	file, err := os.Executable()
	require.NoError(t, err)
	for own, want := range map[string]string{"bind-address": "", "audit-log-path": "server a (path:open): listens on [::]:"} {
		c := fake()
		c.Aggregated = true
		r, err := New(Config{Components: []Component{c}, Dir: t.TempDir(), LogDir: t.TempDir()})
		require.NoError(t, err)
		b := servers.Build{
			Component: c.Name, Version: "v1", Path: file, Reference: "path:open",
			Aggregated: &servers.Aggregation{Names: map[string]string{"bind-address": own}},
		}
		s, err := r.Start(t.Context(), b, servers.Placement{Name: "a"})
		if want == "" {
			require.NoError(t, err)
			assert.NoError(t, s.Err())
		} else {
			assert.ErrorContains(t, err, want)
			assert.ErrorAs(t, err, new(*servers.RequestError))
		}
		require.NoError(t, r.Close())
	}
}
