package converter

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// writeModule writes a module with a hub, a spoke, half a spoke, and other packages.
func writeModule(t *testing.T, more map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"go.mod":                         "module example.dev/op\n\ngo 1.24\n\nrequire sigs.k8s.io/controller-runtime v0.22.4\n",
		"api/v2/types.go":                "package v2\n\nvar SchemeBuilder = 1\n\nvar AddToScheme = 1\n\ntype Widget struct{}\n\nfunc (*Widget) Hub() {}\n",
		"internal/v1/types.go":           "// Package v1 has types.\n// +groupName=op.example.dev\npackage v1\n\nvar SchemeBuilder = 1\n",
		"internal/v1/conversion.go":      "package v1\n\nimport (\n\t\"example.dev/op/api/v2\"\n\t\"sigs.k8s.io/controller-runtime/pkg/conversion\"\n)\n\ntype Widget struct{}\n\nvar _ v2.Widget\n\nfunc (w *Widget) ConvertTo(to conversion.Hub) error { return nil }\n\nfunc (w *Widget) ConvertFrom(from conversion.Hub) error { return nil }\n",
		"api/other/half.go":              "package other\n\nimport \"sigs.k8s.io/controller-runtime/pkg/conversion\"\n\ntype Half struct{}\n\nfunc (h *Half) ConvertTo(to conversion.Hub) error { return nil }\n",
		"config/v1/hub.go":               "package v1\n\ntype Config struct{}\n\nfunc (*Config) Hub() {}\n",
		"vendor/example.com/x/spoke.go":  "package x\n\nfunc (w *W) ConvertTo(to conversion.Hub) error { return nil }\n\nfunc (w *W) ConvertFrom(from conversion.Hub) error { return nil }\n",
		"nested/go.mod":                  "module example.dev/nested\n",
		"nested/spoke.go":                "package nested\n\nfunc (w *W) ConvertTo(to conversion.Hub) error { return nil }\n\nfunc (w *W) ConvertFrom(from conversion.Hub) error { return nil }\n",
		"internal/v1/conversion_test.go": "package v1\n",
	}
	for name, text := range more {
		files[name] = text
	}
	for name, text := range files {
		at := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o700))
		require.NoError(t, os.WriteFile(at, []byte(text), 0o600))
	}
	return dir
}

// TestFind: packages with spokes are found, internal ones too, and the packages of their hubs; a hub
// that nothing is converted to, half a conversion, and other modules are not.
func TestFind(t *testing.T) {
	found, err := Find(writeModule(t, nil))
	require.NoError(t, err)
	assert.Equal(t, "example.dev/op", found.Module)
	assert.Equal(t, "v0.22.4", found.ControllerRuntime)
	require.Len(t, found.Packages, 2)
	hub, spoke := found.Packages[0], found.Packages[1]
	assert.Equal(t, []string{"example.dev/op/api/v2", "AddToScheme"}, []string{hub.Path, hub.Add})
	assert.Equal(t, []string{"Widget"}, hub.Hubs)
	assert.Equal(t, []string{"example.dev/op/internal/v1", "SchemeBuilder.AddToScheme"}, []string{spoke.Path, spoke.Add})
	assert.Equal(t, []string{"Widget"}, spoke.Spokes)
	assert.Equal(t, []string{"Widget.op.example.dev"}, found.Kinds(), "of the package that says its group")

	main, err := generate(found, nil)
	require.NoError(t, err)
	assert.Contains(t, main, `api1 "example.dev/op/internal/v1"`)
	assert.NotContains(t, main, versionGetter)
	assert.Contains(t, main, "serve(conversion.NewWebhookHandler(scheme), *port, *certDir)")
}

// TestFindHubElsewhere: a hub is found also if the file with the methods does not import its package, and if no file does.
func TestFindHubElsewhere(t *testing.T) {
	methods := "package v1\n\nimport \"sigs.k8s.io/controller-runtime/pkg/conversion\"\n\ntype Widget struct{}\n\nfunc (w *Widget) ConvertTo(to conversion.Hub) error { return convert(w, to) }\n\nfunc (w *Widget) ConvertFrom(from conversion.Hub) error { return convert(w, from) }\n"
	for what, more := range map[string]map[string]string{
		"another file imports it": {"internal/v1/convert.go": "package v1\n\nimport \"example.dev/op/api/v2\"\n\nfunc convert(w *Widget, hub any) error { _ = hub.(*v2.Widget); return nil }\n"},
		"by way of JSON": {
			"internal/v1/convert.go": "package v1\n\nfunc convert(w *Widget, hub any) error { return nil }\n",
			"api/v2/doc.go":          "// Package v2 has the hub.\n// +groupName=op.example.dev\npackage v2\n",
		},
	} {
		more["internal/v1/conversion.go"] = methods
		found, err := Find(writeModule(t, more))
		require.NoError(t, err, what)
		var packages []string
		for _, p := range found.Packages {
			packages = append(packages, p.Path)
		}
		assert.Equal(t, []string{"example.dev/op/api/v2", "example.dev/op/internal/v1"}, packages, what)
	}
}

// TestFindNoScheme: types that nothing adds to a scheme are an error with their package; beside others they are left out, since
// no server serves them.
func TestFindNoScheme(t *testing.T) {
	kubeadm := "package upstream\n\nimport (\n\t\"example.dev/op/api/v2\"\n\t\"sigs.k8s.io/controller-runtime/pkg/conversion\"\n)\n\ntype Config struct{}\n\nvar _ v2.Widget\n\nfunc (c *Config) ConvertTo(to conversion.Hub) error { return nil }\n\nfunc (c *Config) ConvertFrom(from conversion.Hub) error { return nil }\n"
	found, err := Find(writeModule(t, map[string]string{"upstream/types.go": kubeadm}))
	require.NoError(t, err)
	assert.Len(t, found.Packages, 2)
	_, err = Find(writeModule(t, map[string]string{"internal/v1/types.go": "package v1\n"}))
	assert.ErrorContains(t, err, "example.dev/op/internal/v1 has convertible types (Widget)")
}

// TestHandler: the handler's function changed in two releases of controller-runtime.
func TestHandler(t *testing.T) {
	for version, want := range map[string]string{
		"v0.15.0": "conversion.NewWebhookHandler(scheme)", "v0.22.4": "conversion.NewWebhookHandler(scheme)",
		"v0.23.0": "conversion.NewWebhookHandler(scheme, registry)", "v0.14.9": "", "": "",
	} {
		is, registry, err := handlerOf(version)
		assert.Equal(t, want, is)
		assert.Equal(t, version == "v0.23.0", registry != "", version)
		assert.Equal(t, want == "", err != nil, version)
	}
}

// TestDigest: what can be part of a build counts, and tests do not.
func TestDigest(t *testing.T) {
	sum := func(more map[string]string) string {
		d, err := digest(writeModule(t, more))
		require.NoError(t, err)
		return d
	}
	assert.Equal(t, sum(nil), sum(map[string]string{"internal/v1/conversion_test.go": "package v1 // changed\n"}))
	assert.NotEqual(t, sum(nil), sum(map[string]string{"internal/v1/embedded.txt": "x"}))
}
