package builder

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

const definition = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: widgets.example.dev}, spec: {
  group: example.dev, scope: Namespaced, names: {kind: Widget, plural: widgets},
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}`

// TestManifestsWithin: a folder is found within the catalogue or a local folder, as the
// reference says, and cannot lead out of there.
func TestManifestsWithin(t *testing.T) {
	root := t.TempDir()
	below := filepath.Join(root, "scenarios")
	for _, folder := range []string{filepath.Join(below, "crds"), filepath.Join(root, "outside")} {
		require.NoError(t, os.MkdirAll(folder, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "a.yaml"), []byte(definition), 0o600))
	}
	require.NoError(t, os.Symlink(filepath.Join(root, "outside"), filepath.Join(below, "link")))
	t.Chdir(below)
	f := Files{Catalogue: fstest.MapFS{"crd/old/a.yaml": {Data: []byte(definition)}}}
	for name, c := range map[string]struct {
		within, path string
		found        bool
	}{
		"of the catalogue":     {servers.WithinCatalogue + "crd", "old", true},
		"not in the catalogue": {servers.WithinCatalogue + "crd", "new", false},
		"beside the scenario":  {below, "crds", true},
		"not there":            {below, "none", false},
		"outside":              {below, "../outside", false},
		"a link outside":       {below, "link", false},
		"within nothing":       {filepath.Join(root, "none"), "crds", false},
		"as the user says":     {"", "../outside", true},
	} {
		ref := servers.Reference{Scheme: servers.SchemeManifests, Component: "crd", Path: c.path, Manifests: servers.Manifests{Within: c.within}}
		set, err := f.readManifests(t.Context(), ref)
		assert.Equal(t, c.found, err == nil, "%s: %v", name, err)
		assert.Equal(t, c.found, f.checkManifests(t.Context(), ref, ref) == nil, name)
		if c.found {
			assert.NotEmpty(t, set, name)
		}
	}
}

// TestAdapterWithin: an adapter's file is found where the reference says, and cannot lead out
// of there.
func TestAdapterWithin(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "fish.yaml"), []byte("component: fish"), 0o600))
	f := Files{Catalogue: fstest.MapFS{"aggregated/whale.yaml": {Data: []byte("component: whale")}}}
	for name, c := range map[string]struct{ adapter, within, component string }{
		"none":                 {"", "", "server"},
		"as the user says":     {filepath.Join(dir, "fish.yaml"), "", "fish"},
		"beside the scenario":  {"fish.yaml", dir, "fish"},
		"outside":              {"../fish.yaml", dir, ""},
		"not there":            {"none.yaml", dir, ""},
		"a folder":             {".", dir, ""},
		"of the catalogue":     {"whale.yaml", servers.WithinCatalogue + "aggregated", "whale"},
		"not in the catalogue": {"fish.yaml", servers.WithinCatalogue + "aggregated", ""},
	} {
		adapter, err := f.ReadAdapter(servers.Reference{Scheme: servers.SchemeModule, Module: "example.dev/server", Version: "v0.1.0", Adapter: c.adapter, AdapterWithin: c.within})
		assert.Equal(t, c.component, adapter.Component, name)
		assert.Equal(t, c.component == "", err != nil, "%s: %v", name, err)
	}
}

// TestSums: the module hashes are next to the scenario's file; without that file there are no
// hashes.
func TestSums(t *testing.T) {
	dir := t.TempDir()
	catalogue := fstest.MapFS{}
	for _, within := range []string{"", dir, servers.WithinCatalogue + "crd"} {
		sums, err := readSums(catalogue, within)
		require.NoError(t, err, within)
		assert.Empty(t, sums, within)
	}
}
