package builder

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestKustomizationOf: a kustomization in the folder, or above it and naming it, patches its files; one that names
// other folders, or is outside of the module, does not.
func TestKustomizationOf(t *testing.T) {
	for name, c := range map[string]struct{ file, text, want string }{
		"beside":       {"config/crd/bases/kustomization.yaml", "", "config/crd/bases/kustomization.yaml"},
		"above":        {"config/crd/kustomization.yml", "resources: [bases/a.yaml]", "config/crd/kustomization.yml"},
		"higher":       {"config/kustomization.yaml", "resources: [crd]", "config/kustomization.yaml"},
		"of others":    {"config/crd/kustomization.yaml", "resources: [other/a.yaml]", ""},
		"beyond reach": {"kustomization.yaml", "resources: [config]", ""},
		"outside":      {"../kustomization.yaml", "resources: [config]", ""},
		"none":         {"config/crd/other.yaml", "bases", ""},
	} {
		root := filepath.Join(t.TempDir(), "module")
		require.NoError(t, os.MkdirAll(filepath.Join(root, "config/crd/bases"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(root, c.file), []byte(c.text), 0o600))
		assert.Equal(t, c.want, kustomizationOf(root, "config/crd/bases"), name)
	}
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "crd/bases"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(root, "crd/kustomization.yaml"), []byte("- bases/a.yaml"), 0o600))
	t.Chdir(root)
	assert.Equal(t, "crd/kustomization.yaml", kustomizationOf("", "crd/bases"))
	assert.Equal(t, "crd/kustomization.yaml", kustomizationOf("", "./crd/bases/"))
}
