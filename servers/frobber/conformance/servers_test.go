package conformance_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
	"github.com/skewsim/skewsim/servers/neighbours"
)

// kubernetes is the release of the kubectl. Frobber's answers are compared with those of
// the newest kube-apiserver that tests play.
const kubernetes = "v1.37.0"

// server is a running API server, as a client sees it.
type server struct {
	servers.Endpoint
	client *http.Client
}

func store(t testing.TB) *etcd.Server {
	t.Helper()
	s, err := etcd.Start(t.Context(), etcd.Config{Dir: filepath.Join(t.TempDir(), "etcd")})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// kubeAPIServer starts a real kube-apiserver on a store of its own, and tells its version.
func kubeAPIServer(t testing.TB) (*server, string) {
	t.Helper()
	_, build := neighbours.Pair(t)
	return start(t, kubeapiserver.Component(), build, store(t).Store()), build.Version
}

// snapshot is a directory with the packages that the server is made of, without
// their tests, as the tree had them when it was first asked for: whoever edits the
// tree meanwhile does not make two servers differ.
var snapshot = sync.OnceValues(func() (string, error) {
	into := filepath.Join(built, "tree")
	list := exec.Command("go", "list", "-deps", "-json=Dir,GoFiles,EmbedFiles,Module", "./cmd/frobber-apiserver")
	list.Dir = "../../.."
	out, err := list.Output()
	if err != nil {
		return "", fmt.Errorf("go list: %w", err)
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var p listed
		if err := decoder.Decode(&p); err != nil {
			return "", fmt.Errorf("go list: %w", err)
		}
		if p.Module == nil || !p.Module.Main {
			continue
		}
		if err := p.copy(into); err != nil {
			return "", err
		}
	}
	return into, nil
})

// listed is a package as go list prints it.
type listed struct {
	Dir                 string
	GoFiles, EmbedFiles []string
	Module              *struct {
		Main bool
		Dir  string
	}
}

func (p listed) copy(into string) error {
	from, err := filepath.Rel(p.Module.Dir, p.Dir)
	if err != nil {
		return err
	}
	names := []string{"go.mod", "go.sum"}
	for _, name := range slices.Concat(p.GoFiles, p.EmbedFiles) {
		names = append(names, filepath.Join(from, name))
	}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(p.Module.Dir, name))
		if err != nil {
			return err
		}
		to := filepath.Join(into, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, text, 0o600)); err != nil {
			return err
		}
	}
	return nil
}

// today is the frobber-apiserver of this tree, built once.
var today = sync.OnceValues(func() (string, error) {
	from, err := snapshot()
	if err != nil {
		return "", err
	}
	return buildOf(from, built)
})

// built is the directory of what the tests build. TestMain makes and removes it.
var built string

func TestMain(m *testing.M) {
	flag.Parse()
	var err error
	if built, err = os.MkdirTemp("", "frobber-"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(built) // a temporary directory
	os.Exit(code)
}

// buildOf compiles the frobber-apiserver of the module in root.
func buildOf(root, into string) (string, error) {
	path := filepath.Join(into, "frobber-apiserver")
	command := exec.Command("go", "build", "-ldflags", "-s -w", "-o", path, "./cmd/frobber-apiserver")
	command.Dir = root
	out, err := command.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, out)
	}
	return path, nil
}

// frobber starts the server at path, or today's server for "", on the store.
func frobber(t testing.TB, path, release string, on servers.Store, flags ...string) *server {
	t.Helper()
	if path == "" {
		var err error
		path, err = today()
		require.NoError(t, err)
	}
	component := apiserver.Component{
		Name: "frobber", Refused: func(string) string { return "" },
		Flags: func(servers.Build, *apiserver.Identity) []string { return flags },
	}
	version := "v" + release
	if strings.Count(release, ".") == 1 {
		version += ".0"
	}
	return start(t, component, servers.Build{Reference: "frobber@" + release, Component: component.Name, Version: version, Path: path}, on)
}

// start starts a server, and ends it with the test.
func start(t testing.TB, c apiserver.Component, b servers.Build, on servers.Store) *server {
	t.Helper()
	runtime, err := apiserver.New(apiserver.Config{Components: []apiserver.Component{c}, Dir: filepath.Join(t.TempDir(), "run"), LogDir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, runtime.Close()) })
	p, err := runtime.Start(t.Context(), b, servers.Placement{Name: c.Name, Store: on})
	require.NoError(t, err)
	client, err := trusting(p.Endpoint().CAData)
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	return &server{Endpoint: p.Endpoint(), client: client}
}
