//go:build unix

package apiserver

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
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

// TestParseListeners covers both address families on a little-endian machine.
func TestParseListeners(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("big-endian machines print addresses in another byte order")
	}
	const head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	got := parseListeners(head +
		"   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0 100 0 0 10 0\n" +
		"   1: 00000000:01BB 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12 1 0 100 0 0 10 0\n" +
		"   2: 00000000:01BC 0100007F:0001 01 00000000:00000000 00:00000000 00000000     0        0 13 1 0 100 0 0 10 0\n" +
		"   3: 00000000000000000000000001000000:0050 00000000000000000000000000000000:0000 0A 0:0 00:0 0 0 0 14 1\n" +
		"   4: 00000000000000000000000000000000:0051 00000000000000000000000000000000:0000 0A 0:0 00:0 0 0 0 15 1\n" +
		"   5: 0000000000000000FFFF00000100007F:0052 00000000000000000000000000000000:0000 0A 0:0 00:0 0 0 0 16 1\n" +
		"   6: nonsense 0 0A 0 0 0 0 0 17\n   7: 00:1 0 0A 0 0 0 0 0 18\n")
	var want []listener
	for at, inode := range map[string]string{"127.0.0.1:8080": "11", "0.0.0.0:443": "12", "[::1]:80": "14", "[::]:81": "15", "127.0.0.1:82": "16"} {
		want = append(want, listener{netip.MustParseAddrPort(at), inode})
	}
	assert.ElementsMatch(t, want, got)
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
