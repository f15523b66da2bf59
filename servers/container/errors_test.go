package container_test

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/container"
)

// opened returns the error of Open for the engine at an address. It runs in a separate process,
// because a process looks for an engine only once.
func opened(t *testing.T, host string) string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	c := exec.CommandContext(t.Context(), self, "open")
	c.Dir = "/"
	c.Env = append(os.Environ(), "DOCKER_HOST="+host, "HOME=/nonexistent", "XDG_RUNTIME_DIR=")
	out, err := c.CombinedOutput()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}

const wayOut = "only image: needs one, so use another build, such as kube-apiserver@v1.36 or path:FILE"

func TestNoEngine(t *testing.T) {
	host := "unix://" + filepath.Join(t.TempDir(), "docker.sock")
	said := opened(t, host)
	assert.Contains(t, said, "container images: no Docker engine answers: ")
	assert.Contains(t, said, host)
	assert.Contains(t, said, "; install one (docker.io on Debian and Ubuntu) and start it, or have DOCKER_HOST name the socket of one on this machine; "+wayOut)
}

// TestGarbage: the error for an invalid engine address is one line.
func TestGarbage(t *testing.T) {
	said := opened(t, "garbage")
	assert.NotContains(t, said, "\n")
	assert.Contains(t, said, "container images: no Docker engine answers: ")
	assert.Contains(t, said, "have DOCKER_HOST name the socket of one on this machine; "+wayOut)
}

// TestForStore: a user without an engine for the store does not need another build.
func TestForStore(t *testing.T) {
	err := &container.EngineError{Err: errors.New("no Docker engine answers"), WayOut: wayOut}
	assert.EqualError(t, err, "container images: no Docker engine answers; "+wayOut)
	assert.EqualError(t, err.ForStore(), "container images: no Docker engine answers; the store needs one for image: alone, "+
		"so leave --store out for skewsim's own etcd, or name one that runs with --etcd")
}

func TestEngineOfOthers(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can be another user")
	}
	dir, err := os.MkdirTemp("", "socket-") // not below a directory of this user alone
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	require.NoError(t, os.Chmod(dir, 0o755))
	socket := filepath.Join(dir, "docker.sock")
	l, err := net.Listen("unix", socket)
	require.NoError(t, err)
	defer l.Close()
	require.NoError(t, os.Chmod(socket, 0o600))
	const nobody = 65534
	copied := filepath.Join(dir, "test") // the test binary is in such a directory too
	self, err := os.Executable()
	require.NoError(t, err)
	program, err := os.ReadFile(self)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(copied, program, 0o755))
	c := exec.CommandContext(t.Context(), copied, "open")
	c.Dir, c.Env = "/", []string{"DOCKER_HOST=unix://" + socket, "HOME=/nonexistent"}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := c.CombinedOutput()
	require.NoError(t, err)
	assert.Contains(t, string(out), "container images: this user may not use the Docker engine: ")
	assert.Contains(t, string(out), "; join the group docker (sudo usermod -aG docker $USER, then log in again); "+wayOut)
}

// TestEngineElsewhere: an engine that answers on another network is refused because of that,
// and its description explains why.
func TestEngineElsewhere(t *testing.T) {
	for _, c := range []struct {
		info map[string]any
		why  string
	}{
		{map[string]any{"OSType": "linux", "OperatingSystem": "Docker Desktop"}, "Docker Desktop runs containers in a virtual machine"},
		{map[string]any{"OSType": "linux", "SecurityOptions": []string{"name=seccomp,profile=default", "name=rootless"}}, "a rootless engine has a separate network"},
		{map[string]any{"OSType": "windows"}, "it runs containers of windows"},
		{map[string]any{"OSType": "linux", "OperatingSystem": "Debian GNU/Linux 12 (bookworm)"}, "it is on another machine, or in a separate network"},
	} {
		engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case strings.HasSuffix(r.URL.Path, "/_ping"):
				w.Header().Set("Api-Version", "1.41")
			case strings.HasSuffix(r.URL.Path, "/info"):
				_ = json.NewEncoder(w).Encode(c.info)
			default: // it finds nobody at its own loopback address
				w.WriteHeader(http.StatusInternalServerError)
				_, _ = w.Write([]byte(`{"message":"dial tcp 127.0.0.1: connection refused"}`))
			}
		}))
		defer engine.Close()
		host := "tcp://" + engine.Listener.Addr().String()
		assert.Equal(t, "container images: the Docker engine at "+host+" does not share this machine's loopback address: "+c.why+
			"; servers and their store listen only there, so only the engine of this Linux machine will do; "+wayOut, opened(t, host))
	}
}
