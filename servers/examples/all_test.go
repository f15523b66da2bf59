package examples

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAll: the test's own object comes first, then the same with its other values, then the
// manifests; what is a template or of another kind is left out.
func TestAll(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		file:                       "package etcd\n\nvar data = map[R]Data{\n\tgvr(\"apps\", \"v1\", \"gadgets\"): {Stub: `{\"spec\": {\"a\": 1}}`, MutatedStub: `{\"spec\": {\"b\": 2}}`, StatusStub: `{\"status\": {\"c\": 3}}`},\n}\n",
		"hack/testdata/list.yaml":  "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: apps/v1, kind: Gadget, metadata: {namespace: theirs}, spec: {many: fields, of: it}}\n- {apiVersion: apps/v1, kind: Widget}\n",
		"test/fixtures/two.yaml":   "apiVersion: apps/v1\nkind: Gadget\n---\napiVersion: {{ .Template }}\n",
		"test/fixtures/other.text": "apiVersion: apps/v1\nkind: Gadget\nspec: {not: read}\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	all, err := ReadAll(folder, "here")
	require.NoError(t, err)
	complete := func(more map[string]any) map[string]any {
		more["apiVersion"], more["kind"] = "apps/v1", "Gadget"
		return more
	}
	assert.Equal(t, []map[string]any{
		complete(map[string]any{"spec": map[string]any{"a": 1.0}}),
		complete(map[string]any{"spec": map[string]any{"a": 1.0, "b": 2.0}, "status": map[string]any{"c": 3.0}}),
		complete(map[string]any{}),
		complete(map[string]any{"metadata": map[string]any{"namespace": "here"}, "spec": map[string]any{"many": "fields", "of": "it"}}),
	}, all.Of("apps/v1", "gadgets", "Gadget"))
	assert.Empty(t, all.Of("apps/v2", "gadgets", "Gadget"))
}

// TestSerialized: objects are found by what they are, not by the names of files; what has no
// stored form is left out.
func TestSerialized(t *testing.T) {
	folder := t.TempDir()
	at := filepath.Join(folder, "testdata", "HEAD")
	require.NoError(t, os.MkdirAll(at, 0o700))
	for name, text := range map[string]string{
		"core.v1.Gadget.json": `{"apiVersion": "v1", "kind": "Gadget"}`, "core.v1.Gadget.pb": "k8s",
		"core.v1.Options.json": `{"apiVersion": "v1", "kind": "Options"}`, "broken.json": `{`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(at, name), []byte(text), 0o600))
	}
	all := ReadSerialized(folder)
	require.Len(t, all, 1)
	assert.Equal(t, "k8s", string(all["v1 Gadget"].Protobuf))
}
