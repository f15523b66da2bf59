package container_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/container"
	"github.com/skewsim/skewsim/servers/container/containertest"
)

// TestMain lets the test be its own guard.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "guard" {
		if container.Guard(os.Args[2], os.Stdin) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func open(t *testing.T) *container.Engine {
	t.Helper()
	containertest.Client(t) // or skip
	self, err := os.Executable()
	require.NoError(t, err)
	e, err := container.Open(t.Context(), container.Config{Guard: []string{self, "guard"}})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, e.Close()) })
	return e
}

// programs are what the tests' images hold.
func programs() []container.Program {
	return []container.Program{
		{File: "kube-apiserver", Component: "kube-apiserver", Version: func(answer string) (string, error) {
			if version, is := strings.CutPrefix(strings.TrimSpace(answer), "Kubernetes "); is {
				return version, nil
			}
			return "", fmt.Errorf("--version printed %q", answer)
		}},
		{File: "frobber-apiserver", Component: "frobber", Version: func(string) (string, error) { return "v1.0.0", nil }},
	}
}

// static is the tests' server, compiled once.
var static = sync.OnceValue(func() string { return os.Getenv("SKEWSIM_TEST_SERVER") })

func image(t *testing.T, at string, entrypoint ...string) string {
	t.Helper()
	return containertest.Image(t, containertest.Layout{
		Files: map[string]string{at: containertest.Static(t, "./testdata/server")}, Entrypoint: entrypoint, Path: "/usr/local/bin",
	})
}

func noPull() {}

func TestSmoke(t *testing.T) {
	e := open(t)
	name := image(t, "/usr/local/bin/kube-apiserver", "/go-runner")
	began := time.Now()
	b, err := e.Build(t.Context(), name, programs(), noPull)
	require.NoError(t, err)
	t.Logf("%+v after %s", b, time.Since(began))
	assert.Equal(t, servers.Build{Reference: "image:" + name, Component: "kube-apiserver", Version: "v1.36.1", Path: "kube-apiserver", Image: b.Image, Digest: strings.TrimPrefix(b.Image, "sha256:")}, b)
	log := filepath.Join(t.TempDir(), "a.log")
	began = time.Now()
	c, err := e.Start(t.Context(), b, apiserver.Command{Arguments: []string{"--serve"}, LogPath: log})
	require.NoError(t, err)
	t.Logf("started after %s", time.Since(began))
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	began = time.Now()
	require.NoError(t, c.Stop(t.Context()))
	t.Logf("stopped after %s: %s", time.Since(began), c.Status())
	text, _ := os.ReadFile(log)
	assert.Equal(t, "serving\nstopped\n", string(text))
	_ = context.Canceled
	_ = errors.New
}
