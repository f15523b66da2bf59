package clients_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/clients"
	"github.com/skewsim/skewsim/servers/frobber/release"
	"github.com/skewsim/skewsim/servers/frobber/train"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/servers/typedclient/program"
)

// TestMain makes the test binary play another part as well: that of a release's
// clients, as the server's own binary does.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "clients" && os.Args[2] == "--release" {
		r, err := train.Find(os.Args[3])
		if err == nil {
			err = program.Main(clients.Of(r))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// few are releases whose types differ in what most tests look at: the first and the last,
// one with two versions, and mutants of a value in place of a pointer and of another type.
func few() []string {
	names := train.Names()
	return []string{names[0], "1.1+value", "1.3", "1.18+schema", names[len(names)-1]}
}

// every is each release on the train and each twin.
func every() []string {
	var all []string
	for _, name := range train.Names() {
		all = append(all, name)
		for _, twin := range train.Twins(name) {
			all = append(all, name+"+"+twin)
		}
	}
	return all
}

func find(t *testing.T, name string) *release.Release {
	t.Helper()
	r, err := train.Find(name)
	require.NoError(t, err)
	return r
}

// run starts the clients of a release for as long as the test lasts.
func run(t *testing.T, name string) *typedclient.Program {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	p, err := typedclient.Start(typedclient.Build{
		Version: find(t, name).GitVersion(), Path: self, Args: []string{"clients", "--release", name},
	}, filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return p
}

// frobber is the kind in a version.
func frobber(version string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: api.Group, Version: version, Kind: api.Kind}
}
