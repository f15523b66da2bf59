package kubeapiserver_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
	"github.com/skewsim/skewsim/servers/neighbours"
	"github.com/skewsim/skewsim/servers/serverstest"
)

// newest is the newest kube-apiserver that tests play.
func newest(t *testing.T) servers.Build {
	t.Helper()
	_, b := neighbours.Pair(t)
	return b
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

func newRuntime(dir, logs string) (*apiserver.Runtime, error) {
	return apiserver.New(apiserver.Config{Components: []apiserver.Component{kubeapiserver.Component()}, Dir: dir, LogDir: logs})
}

// subject is a kube-apiserver of a release under the suite.
func subject(build servers.Build) serverstest.Subject {
	return serverstest.Subject{
		Build: build,
		New: func(dir, logs string) (servers.Runtime, error) {
			return newRuntime(dir, logs)
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
func TestKubernetesRuntime(t *testing.T) {
	serverstest.Run(t, subject(newest(t)))
}

// What a server says of options it does not take reaches the user, without the
// log's decoration.
func TestKubernetesOptionsThatEndTheServer(t *testing.T) {
	build := newest(t)
	runtime, at := launchpad(t)
	for i, c := range []struct {
		options servers.Options
		want    string
	}{
		{servers.Options{Flags: []string{"--no-such-flag=1"}}, "Error: unknown flag: --no-such-flag"},
		{servers.Options{FeatureGates: map[string]bool{"NoSuchGate": true}}, "unrecognized feature gate: NoSuchGate"},
		{servers.Options{FeatureGates: map[string]bool{"UserNamespacesSupport": false}},
			"cannot set feature gate UserNamespacesSupport to false, feature is locked to true"},
		{servers.Options{RuntimeConfig: map[string]bool{"nosuch.example/v1": true}},
			`unknown api groups nosuch.example/v1`},
		{servers.Options{Flags: []string{"--enable-admission-plugins=NoSuch"}},
			`enable-admission-plugins plugin "NoSuch" is unknown`},
	} {
		at.Name, at.Options = fmt.Sprintf("a-%d", i), c.options
		_, err := runtime.Start(t.Context(), build, at)
		var exit *servers.ExitError
		if !errors.As(err, &exit) {
			t.Errorf("%+v: Start said %v, want an *ExitError", c.options, err)
			continue
		}
		if got := strings.Join(exit.Tail, "|"); got != c.want || exit.Status != "exited with status 1" || exit.Ready {
			t.Errorf("%+v: %s, ready %t, said\n%s\nwant\n%s", c.options, exit.Status, exit.Ready, got, c.want)
		}
	}
}

// launchpad gives a runtime and a placement over a fresh store.
func launchpad(t *testing.T) (*apiserver.Runtime, servers.Placement) {
	t.Helper()
	dir := t.TempDir()
	runtime, err := newRuntime(filepath.Join(dir, "run"), filepath.Join(dir, "logs"))
	if err != nil {
		t.Fatal(err)
	}
	s := store(t)
	t.Cleanup(func() {
		if err := runtime.Close(); err != nil {
			t.Error(err)
		}
	})
	return runtime, servers.Placement{Store: s.Store()}
}

// The contract's point: two releases at once over one store, started together.
func TestKubernetesTwoReleasesTogether(t *testing.T) {
	old, new := neighbours.Pair(t)
	builds := []servers.Build{old, new}
	runtime, at := launchpad(t)
	var wg sync.WaitGroup
	for i, build := range builds {
		at := at
		at.Name = fmt.Sprintf("a-%d", i)
		wg.Go(func() {
			p, err := runtime.Start(t.Context(), build, at)
			if err != nil {
				t.Error(err)
				return
			}
			t.Logf("%s is ready after %s", build.Version, p.ReadyAfter().Round(time.Millisecond))
			began := time.Now()
			if err := p.Stop(t.Context()); err != nil || p.Err() != nil {
				t.Error(err, p.Err())
			}
			t.Logf("%s has stopped after %s", build.Version, time.Since(began).Round(time.Millisecond))
		})
	}
	wg.Wait()
}

// A build made from a path is the release its executable says.
func TestKubernetesFromPathOfRealServer(t *testing.T) {
	built := newest(t)
	found, err := kubeapiserver.FromPath(t.Context(), built.Path)
	if err != nil {
		t.Fatal(err)
	}
	want := built
	want.File = found.File                                                    // as others may change it
	want.Reference, want.Substituted, want.Asked = "path:"+built.Path, "", "" // which no executable tells
	if found != want {
		t.Errorf("found %+v, want %+v", found, want)
	}
}
