package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/skewsim/skewsim/servers/frobber/train"
	"github.com/skewsim/skewsim/servers/typedclient"
)

// TestClients: the binary, as skewsim starts it, is the clients of each release
// and says so.
func TestClients(t *testing.T) {
	if testing.Short() {
		t.Skip("links the binary")
	}
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", dir, ".")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, name := range append(train.Names(), "1.1+required") {
		release, err := train.Find(name)
		require.NoError(t, err)
		p, err := typedclient.Start(typedclient.Build{
			Version: release.GitVersion(), Path: filepath.Join(dir, "frobber-apiserver"), Args: []string{"clients", "--release", name},
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
	assert.ErrorContains(t, root.Execute(), `release "1.1+perfect": 1.1 has no twin "perfect"`)
}
