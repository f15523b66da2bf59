package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/skewsim/skewsim/servers/frobber/train"
	"github.com/skewsim/skewsim/servers/typedclient"
)

// TestMain runs the test binary as frobber-apiserver when it is started as the clients'
// program.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "clients" {
		os.Exit(Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// TestClients: the binary, started as skewsim starts it, runs the clients of the release that
// it is given, and reports that release.
func TestClients(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	for _, name := range []string{train.Names()[0], "1.1+required", newest()} {
		release, err := train.Find(name)
		require.NoError(t, err)
		p, err := typedclient.Start(typedclient.Build{
			Version: release.GitVersion(), Path: self, Args: []string{"clients", "--release", name},
		}, filepath.Join(dir, name+".log"))
		require.NoError(t, err)
		got, err := p.Carry(t.Context(), typedclient.CarryRequest{
			Kind: schema.GroupVersionKind{Group: "frobbing.example.com", Version: "v6", Kind: "Frobber"}, Body: []byte(`{"spec":{"height":1}}`),
		})
		require.NoError(t, err)
		assert.Contains(t, string(got), `"height":1`)
		require.NoError(t, p.Close())
	}
}

func TestClientsOfNoRelease(t *testing.T) {
	root := newRoot()
	root.SetArgs([]string{"clients", "--release", "1.1+perfect"})
	assert.ErrorContains(t, root.Execute(), `release "1.1+perfect": 1.1 has no mutant "perfect"`)
}
