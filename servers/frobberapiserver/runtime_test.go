package frobberapiserver_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/pflag"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/container"
	"github.com/skewsim/skewsim/servers/container/containertest"
	"github.com/skewsim/skewsim/servers/etcd"
	frobber "github.com/skewsim/skewsim/servers/frobber/apiserver"
	"github.com/skewsim/skewsim/servers/frobber/train"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
	"github.com/skewsim/skewsim/servers/serverstest"
)

// TestMain lets the test binary run as the guard of its containers, and as the server: built
// links to it.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) == 3 && os.Args[1] == "guard":
		if container.Guard(os.Args[2], os.Stdin) != nil {
			os.Exit(1)
		}
	case filepath.Base(os.Args[0]) == "frobber-apiserver":
		if err := serve(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "error:", err)
			os.Exit(1)
		}
	default:
		os.Exit(m.Run())
	}
}

// serve runs the server as its command does.
func serve(args []string) error {
	options, flags := frobber.NewOptions(), pflag.NewFlagSet("frobber-apiserver", pflag.ContinueOnError)
	options.AddFlags(flags)
	name, version := flags.String("release", "", ""), flags.Bool("version", false, "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	release, err := train.Find(*name)
	if err != nil {
		return err
	}
	if *version {
		_, err = fmt.Println("Frobber", release.GitVersion())
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return options.Run(ctx, release)
}

// built puts the server on PATH, where skewsim finds it.
func built(t *testing.T) {
	t.Helper()
	tiers.NeedAny(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(self, filepath.Join(dir, "frobber-apiserver")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

func get(t *testing.T, release string) servers.Build {
	t.Helper()
	b, err := frobberapiserver.Finder{}.Get(t.Context(), release)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func store(t *testing.T) servers.Store {
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
	return s.Store()
}

func newRuntime(dir, logs string) (servers.Runtime, error) {
	return apiserver.New(apiserver.Config{Components: []apiserver.Component{frobberapiserver.Component()}, Dir: dir, LogDir: logs})
}

// TestFrobberRuntime runs the tests of servers.Runtime with real reference servers.
func TestFrobberRuntime(t *testing.T) {
	built(t)
	serverstest.Run(t, subject(get(t, "1.1"), newRuntime))
}

// TestPagesRuntimeOfImages runs them in containers.
func TestPagesRuntimeOfImages(t *testing.T) {
	containertest.Client(t) // skips or fails without an engine
	path := containertest.Static(t, "../../cmd/frobber-apiserver")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	engine, err := container.Open(t.Context(), container.Config{Guard: []string{self, "guard"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	name := containertest.Image(t, containertest.Layout{
		Files: map[string]string{"/frobber-apiserver": path}, Entrypoint: []string{"/frobber-apiserver", "--release=1.1+required"},
	})
	b, err := engine.Build(t.Context(), name, []container.Program{frobberapiserver.InImages()}, func() {})
	if err != nil {
		t.Fatal(err)
	}
	if b.Version != "v1.1.0+required" || b.Component != "frobber" {
		t.Fatalf("the image is %+v", b)
	}
	serverstest.Run(t, subject(b, func(dir, logs string) (servers.Runtime, error) {
		return apiserver.New(apiserver.Config{Components: []apiserver.Component{frobberapiserver.Component()}, Dir: dir, LogDir: logs, Images: engine})
	}))
}

// subject returns the reference server as the suite's subject.
func subject(b servers.Build, new func(dir, logs string) (servers.Runtime, error)) serverstest.Subject {
	return serverstest.Subject{
		Build: b, New: new, Store: store,
		Object: serverstest.Object{
			Collection: "/apis/frobbing.example.com/v6/namespaces/default/frobbers", Name: "seen",
			Body: `{"apiVersion":"frobbing.example.com/v6","kind":"Frobber","metadata":{"name":"seen"},"spec":{"height":1,"width":1,"param":"x"}}`,
		},
		Deadly:    servers.Options{Flags: []string{"--no-such-flag"}},
		LastWords: "error: unknown flag: --no-such-flag",
		Refused:   servers.Options{Flags: []string{"--release=1.0"}},
	}
}

// TestSmokeReleases: the one binary is every release, each with its own version, and reports an
// unknown release itself.
func TestSmokeReleases(t *testing.T) {
	built(t)
	right, mutant := get(t, "1.1"), get(t, "1.1+required")
	if right.Version != "v1.1.0" || mutant.Version != "v1.1.0+required" || right.Digest != mutant.Digest || right.Path != mutant.Path {
		t.Errorf("built %+v and %+v", right, mutant)
	}
	for release, want := range map[string]string{
		"9.9":        `frobber@9.9: release "9.9": not on the train (releases: 1.0, `,
		"1.1+nosuch": `frobber@1.1+nosuch: release "1.1+nosuch": 1.1 has no mutant "nosuch" (mutants: `,
	} {
		_, err := frobberapiserver.Finder{}.Get(t.Context(), release)
		var request *servers.RequestError
		if err == nil || !strings.HasPrefix(err.Error(), want) || !errors.As(err, &request) {
			t.Errorf("Get said %v, want a *RequestError that begins %s", err, want)
		}
	}
}

// TestFrobberTwoReleasesTogether: two releases run at the same time on one store.
func TestFrobberTwoReleasesTogether(t *testing.T) {
	built(t)
	dir := t.TempDir()
	runtime, err := newRuntime(filepath.Join(dir, "run"), filepath.Join(dir, "logs"))
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.Close()
	shared := store(t)
	for i, release := range []string{"1.0", "1.1+required"} {
		if _, err := runtime.Start(t.Context(), get(t, release), servers.Placement{Name: fmt.Sprintf("a-%d", i), Store: shared}); err != nil {
			t.Error(err)
		}
	}
}

// TestFrobberOptionsThatEndTheServer: the server's error for refused options reaches the user.
func TestFrobberOptionsThatEndTheServer(t *testing.T) {
	built(t)
	dir := t.TempDir()
	runtime, err := newRuntime(filepath.Join(dir, "run"), filepath.Join(dir, "logs"))
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.Close()
	at := servers.Placement{Store: store(t)}
	for i, c := range []struct {
		options servers.Options
		want    string
	}{
		{servers.Options{FeatureGates: map[string]bool{"NoSuchGate": true}}, `release 1.1 has no gate "NoSuchGate"`},
		{servers.Options{Flags: []string{"--storage-version=v9"}}, `--storage-version "v9": not a version that release 1.1 serves`},
	} {
		at.Name, at.Options = fmt.Sprintf("a-%d", i), c.options
		_, err := runtime.Start(t.Context(), get(t, "1.1"), at)
		var exit *servers.ExitError
		if !errors.As(err, &exit) || exit.Ready || !strings.Contains(strings.Join(exit.Tail, "|"), c.want) {
			t.Errorf("%+v: Start said %v, want an *ExitError with %s", c.options, err, c.want)
		}
	}
}
