package container_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/container"
	"github.com/skewsim/skewsim/servers/container/containertest"
)

// TestMain lets the test be its own guard.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) == 3 && os.Args[1] == "guard":
		if container.Guard(os.Args[2], os.Stdin) != nil {
			os.Exit(1)
		}
	case len(os.Args) == 3 && os.Args[1] == "own":
		own(os.Args[2])
	case len(os.Args) == 2 && os.Args[1] == "open":
		if _, err := container.Open(context.Background(), container.Config{}); err != nil {
			fmt.Println(err)
		}
	default:
		os.Exit(m.Run())
	}
}

func open(t *testing.T) *container.Engine {
	t.Helper()
	containertest.Client(t) // skips or fails without an engine
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
		{File: "strange-apiserver", Component: "strange", Version: func(answer string) (string, error) {
			return "", fmt.Errorf("--version printed %q", answer)
		}},
	}
}

func image(t *testing.T, at string, entrypoint ...string) string {
	t.Helper()
	return containertest.Image(t, containertest.Layout{
		Files: map[string]string{at: containertest.Static(t, "./testdata/server")}, Entrypoint: entrypoint, Path: "/usr/local/bin",
	})
}

func noPull() {}
