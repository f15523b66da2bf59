package kubeapiserver_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
	"github.com/skewsim/skewsim/servers/serverstest"
)

// ticker tells that a build lives: on standard error too, for the test's own
// log appears only when the test has ended.
type ticker struct {
	t    *testing.T
	mu   sync.Mutex
	told time.Time
}

func (k *ticker) Phase(text string) { k.tell(text) }

func (k *ticker) Packages(done, total int) {
	if k.due() {
		k.tell(fmt.Sprintf("compiled %d of %d packages", done, total))
	}
}

func (k *ticker) due() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return time.Since(k.told) > 10*time.Second
}

func (k *ticker) tell(text string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.told = time.Now()
	k.t.Log(text)
	fmt.Fprintln(os.Stderr, "    "+text)
}

// release builds a kube-apiserver into the user's cache: minutes the first
// time, nothing later.
func release(t *testing.T, version string) servers.Build {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a kube-apiserver, which takes minutes to build")
	}
	cache, err := gobuild.Open("")
	if err != nil {
		t.Fatal(err)
	}
	build, err := kubeapiserver.Get(t.Context(), cache, version, &ticker{t: t})
	if err != nil {
		t.Fatal(err)
	}
	return build
}

func store(t *testing.T) *etcd.Server {
	t.Helper()
	s, err := etcd.Start(t.Context(), etcd.Config{Dir: filepath.Join(t.TempDir(), "etcd")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// subject is a kube-apiserver of a release under the suite.
func subject(build servers.Build) serverstest.Subject {
	return serverstest.Subject{
		Build: build,
		New: func(dir, logs string) (servers.Runtime, error) {
			return kubeapiserver.New(kubeapiserver.Config{Dir: dir, LogDir: logs})
		},
		Store: func(t *testing.T) servers.Store { return store(t).Store() },
		Object: serverstest.Object{
			Collection: "/api/v1/namespaces", Name: "seen",
			Body: `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"seen"}}`,
		},
		Deadly:    servers.Options{Flags: []string{"--no-such-flag"}},
		LastWords: "Error: unknown flag: --no-such-flag",
		Refused:   servers.Options{Flags: []string{"--anonymous-auth=true"}},
	}
}

// Real kube-apiservers of a release keep every promise of servers.Runtime.
func TestRuntime(t *testing.T) {
	serverstest.Run(t, subject(release(t, "v1.37.0")))
}
