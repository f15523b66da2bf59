package container_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/container"
	"github.com/skewsim/skewsim/servers/container/containertest"
)

// TestPagesContainers runs one image in all the ways that a run does.
func TestPagesContainers(t *testing.T) {
	e := open(t)
	b, err := e.Build(t.Context(), image(t, "/usr/local/bin/kube-apiserver"), programs(), noPull)
	require.NoError(t, err)
	t.Run("log and stop", func(t *testing.T) { logAndStop(t, e, b) })
	t.Run("kill", func(t *testing.T) { kill(t, e, b) })
	t.Run("stop out of time", func(t *testing.T) { stopOutOfTime(t, e, b) })
	t.Run("interrupted", func(t *testing.T) { interrupted(t, e, b) })
	t.Run("answers", func(t *testing.T) { answers(t, e, b) })
	t.Run("confined", func(t *testing.T) { confined(t, e, b) })
	t.Run("loopback", func(t *testing.T) { loopback(t, e, b) })
	assert.Empty(t, containertest.Left(t, "dev.skewsim.run="+e.Name()), "each container is gone with its end")
}

// serve starts a container that serves until it is stopped.
func serve(t *testing.T, e *container.Engine, b servers.Build, how string) (apiserver.Child, string) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "a.log")
	c, err := e.Start(t.Context(), b, apiserver.Command{Arguments: []string{how}, LogPath: log})
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		text, _ := os.ReadFile(log)
		return string(text) == "serving\n"
	}, 30*time.Second, 5*time.Millisecond, "its output is in the log immediately")
	assert.Equal(t, "is running", c.Status())
	assert.NoError(t, c.Err())
	return c, log
}

func logAndStop(t *testing.T, e *container.Engine, b servers.Build) {
	c, log := serve(t, e, b, "--serve")
	info, err := os.Stat(log)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode())
	assert.Equal(t, log, c.LogPath())
	require.NoError(t, c.Stop(t.Context()))
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	assert.Equal(t, "serving\nstopped\n", string(text))
	assert.Equal(t, "exited with status 0", c.Status())
	assert.NoError(t, c.Err())
	require.NoError(t, c.Stop(t.Context()), "what has ended can be stopped")
	c.Kill()
}

func kill(t *testing.T, e *container.Engine, b servers.Build) {
	c, _ := serve(t, e, b, "--serve")
	c.Kill()
	assert.Equal(t, "was killed by signal 9 (killed)", c.Status())
	assert.EqualError(t, c.Err(), "was killed by signal 9 (killed)")
}

func stopOutOfTime(t *testing.T, e *container.Engine, b servers.Build) {
	c, _ := serve(t, e, b, "--deaf")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("out of patience"))
	assert.EqualError(t, c.Stop(ctx), "container: stop: out of patience; killed it")
	assert.Equal(t, "was killed by signal 9 (killed)", c.Status())
}

// An interrupted start leaves no container.
func interrupted(t *testing.T, e *container.Engine, b servers.Build) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted"))
	_, err := e.Start(ctx, b, apiserver.Command{Arguments: []string{"--serve"}, LogPath: filepath.Join(t.TempDir(), "a.log")})
	assert.EqualError(t, err, "interrupted")
	assert.Empty(t, containertest.Left(t, "dev.skewsim.run="+e.Name()))
}

// The answer to a question comes in two streams, and in an error with the exit status.
func answers(t *testing.T, e *container.Engine, b servers.Build) {
	answer, err := apiserver.AskOn(t.Context(), e, b, "--version")
	require.NoError(t, err)
	assert.Equal(t, "Kubernetes v1.36.1\n", answer)
	_, err = apiserver.AskOn(t.Context(), e, b, "--complain")
	var refused *apiserver.AnswerError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, apiserver.AnswerError{Asked: "--complain", Status: "exited with status 3", Said: "to complain of\nto say\n"}, *refused)
}

// A container runs as this user, without capabilities, and writes only to its own directories.
func confined(t *testing.T, e *container.Engine, b servers.Build) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secret"), []byte("s3"), 0o600))
	var out bytes.Buffer
	c, err := e.Start(t.Context(), b, apiserver.Command{Arguments: []string{"--look=" + dir}, Dir: dir, Stdout: &out, Stderr: &out})
	require.NoError(t, err)
	<-c.Done()
	none := strings.Repeat("0", 16)
	assert.Equal(t, fmt.Sprintf(`CapEff: %s
CapBnd: %s
NoNewPrivs: 1
user %d %d
secret s3 <nil>
write open %s/mine: read-only file system
write open /mine: read-only file system
write <nil>
`, none, none, os.Getuid(), os.Getgid(), dir), out.String())
	// A scratch directory is private: its content is not visible here.
	_, err = apiserver.AskOn(t.Context(), e, b, "--cert-dir="+dir, "--look="+dir)
	require.NoError(t, err)
	assert.NoFileExists(t, filepath.Join(dir, "mine"))
}

// A server reaches only this machine's loopback address; a container that answers a question
// has no network.
func loopback(t *testing.T, e *container.Engine, b servers.Build) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	log := filepath.Join(t.TempDir(), "a.log")
	c, err := e.Start(t.Context(), b, apiserver.Command{Arguments: []string{"--dial=" + l.Addr().String()}, LogPath: log})
	require.NoError(t, err)
	<-c.Done()
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	assert.Equal(t, "answered\n", string(text))
	_, err = apiserver.AskOn(t.Context(), e, b, "--dial="+l.Addr().String())
	assert.ErrorContains(t, err, "exited with status 1")
}

// TestPagesImages: Build finds the server of an image, and reports images without one.
func TestPagesImages(t *testing.T) {
	e := open(t)
	server := containertest.Static(t, "./testdata/server")
	for _, c := range []struct {
		what, at   string
		entrypoint []string
		platform   string
		component  string // "": there is an error
		path, want string
	}{
		{"a control plane's", "/usr/local/bin/kube-apiserver", []string{"/go-runner"}, "", "kube-apiserver", "kube-apiserver", ""},
		{"with an entrypoint of its own", "/opt/frobber-apiserver", []string{"/opt/frobber-apiserver", "--release=1.1"}, "", "frobber", "/opt/frobber-apiserver", ""},
		{"behind another program", "/kube-apiserver", []string{"/init", "--", "/kube-apiserver"}, "", "kube-apiserver", "/kube-apiserver", ""},
		{"without a server", "/etcd", []string{"/etcd"}, "", "", "", `is there a server in it? kube-apiserver: cannot be executed here: `},
		{"with something else", "/strange-apiserver", []string{"/strange-apiserver"}, "", "", "", `--version printed "Kubernetes v1.36.1\n"`},
		{"for another machine", "/kube-apiserver", []string{"/kube-apiserver"}, "linux/s390x", "", "", "is for linux/s390x, and this machine is linux/"},
	} {
		name := containertest.Image(t, containertest.Layout{
			Files: map[string]string{c.at: server}, Entrypoint: c.entrypoint, Path: "/usr/local/bin", Platform: c.platform,
		})
		b, err := e.Build(t.Context(), name, programs(), noPull)
		if c.component != "" {
			require.NoError(t, err, c.what)
			assert.Equal(t, "image:"+name, b.Reference, c.what)
			assert.Equal(t, "sha256:"+b.Digest, b.Image, c.what)
			assert.Equal(t, c.component+" "+c.path, b.Component+" "+b.Path, c.what)
			continue
		}
		var request *servers.RequestError
		require.ErrorAs(t, err, &request, c.what)
		assert.ErrorContains(t, err, "image:"+name+": ", c.what)
		assert.ErrorContains(t, err, c.want, c.what)
	}
}

// TestPagesMissingImage: an image that is missing, at a registry that does not answer.
func TestPagesMissingImage(t *testing.T) {
	e := open(t)
	var pulled int
	_, err := e.Build(t.Context(), "127.0.0.1:1/nobody/has-it:v1", programs(), func() { pulled++ })
	var registry *container.RegistryError
	require.ErrorAs(t, err, &registry)
	assert.ErrorContains(t, err, "image:127.0.0.1:1/nobody/has-it:v1: is not on this machine, and cannot be pulled: ")
	assert.ErrorContains(t, err, "connection refused; check the name, or build or load it (docker build, docker load)")
	assert.Equal(t, 1, pulled)
	_, err = e.Build(t.Context(), "A B", programs(), noPull)
	var request *servers.RequestError
	require.ErrorAs(t, err, &request)
}
