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

// TestMain lets the test binary run as a release's clients, as the server's own binary does.
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

// few returns releases that cover what most tests look at: the first and the last, one with two
// versions, and mutants with a value instead of a pointer and with another type.
func few() []string {
	names := train.Names()
	return []string{names[0], "1.1+value", "1.3", "1.18+schema", names[len(names)-1]}
}

// every returns each release and each mutant.
func every() []string {
	var all []string
	for _, name := range train.Names() {
		all = append(all, name)
		for _, mutant := range train.Mutants(name) {
			all = append(all, name+"+"+mutant)
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

// run starts the clients of a release for the duration of the test.
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

// frobber returns the kind in a version.
func frobber(version string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: api.Group, Version: version, Kind: api.Kind}
}
