package published_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/published"
)

const document = `{"info":{"version":"v1.36.3"},"paths":{
	"/apis/example.com/v1/":{"get":{"operationId":"list"}},
	"/apis/example.com/v1/namespaces/{namespace}/widgets":{"post":{"x-kubernetes-action":"post","x-kubernetes-group-version-kind":{"group":"example.com","version":"v1","kind":"Widget"}}},
	"/apis/example.com/v1/namespaces/{namespace}/widgets/{name}":{
		"get":{"x-kubernetes-action":"get","x-kubernetes-group-version-kind":{"group":"example.com","version":"v1","kind":"Widget"}},
		"put":{"x-kubernetes-action":"put","x-kubernetes-group-version-kind":{"group":"example.com","version":"v1","kind":"Widget"}},
		"parameters":[]},
	"/apis/example.com/v1/namespaces/{namespace}/widgets/{name}/scale":{"get":{"x-kubernetes-action":"get","x-kubernetes-group-version-kind":{"group":"autoscaling","version":"v1","kind":"Scale"}}},
	"/apis/example.com/v1/watch/widgets":{"get":{"x-kubernetes-action":"watchlist","x-kubernetes-group-version-kind":{"group":"example.com","version":"v1","kind":"Widget"}}}
	},"components":{"schemas":{}}}`

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

// TestReadFolder: the paths of a document say which resources a release serves.
func TestReadFolder(t *testing.T) {
	dir := folder(t, map[string]string{"a.json": document, "notes.txt": "no document"})
	r, err := published.ReadFolder(dir, true)
	require.NoError(t, err)
	assert.Equal(t, "v1.36.3", r.Version)
	assert.Equal(t, []published.Resource{{
		APIVersion: "example.com/v1", Kind: "Widget", Plural: "widgets", Namespaced: true, Verbs: []string{"create", "get", "update"}, Subresources: []string{"scale"},
	}}, r.Resources)
	assert.Len(t, r.Documents, 1)
	assert.NotEmpty(t, r.Missing, "files say less than servers")
}

// TestBrokenFolder: the error is the user's, and names the file.
func TestBrokenFolder(t *testing.T) {
	for name, text := range map[string]string{"cut off": document[:len(document)/2], "no object": "[]", "no JSON": "openapi: 3.0.0", "empty": ""} {
		dir := folder(t, map[string]string{"good.json": document, "bad.json": text})
		_, err := published.ReadFolder(dir, true)
		assert.ErrorContains(t, err, filepath.Join(dir, "bad.json"), name)
		assert.True(t, fault.Is(err, fault.User), name)
	}
	_, err := published.ReadFolder(t.TempDir(), true)
	assert.True(t, fault.Is(err, fault.User), "a folder without documents")
	assert.NotContains(t, err.Error(), "crd:")
	manifests := folder(t, map[string]string{"a.yaml": "kind: CustomResourceDefinition"})
	_, err = published.ReadFolder(manifests, true)
	assert.ErrorContains(t, err, "crd:"+manifests)
}

// TestDefineUnruled: definitions that a webhook converts are compared without its rules, and what is not
// compared names them; with other definitions, nothing does.
func TestDefineUnruled(t *testing.T) {
	const plain = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: widgets.example.dev}, spec: {group: example.dev, scope: Namespaced,
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}, CONVERSION
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}`
	for conversion, want := range map[string]int{"": 0, "conversion: {strategy: Webhook},": 1} {
		dir := folder(t, map[string]string{"a.yaml": strings.Replace(plain, "CONVERSION", conversion, 1)})
		from := published.Source{Manifests: builder.Files{}.Manifests}
		ref, err := servers.ParseReference("crd:" + dir)
		require.NoError(t, err)
		r, err := from.Define(t.Context(), ref)
		require.NoError(t, err)
		assert.Len(t, r.Resources, 1)
		require.Len(t, r.Missing, want)
		if want > 0 {
			assert.Contains(t, r.Missing[0], "widgets.example.dev")
		}
	}
}

// TestGetOfKinds: of definitions, the kinds that are asked for are published alone; all are without names.
func TestGetOfKinds(t *testing.T) {
	const plain = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: widgets.example.dev}, spec: {group: example.dev, scope: Namespaced,
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList},
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}`
	dir := folder(t, map[string]string{"a.yaml": plain, "b.yaml": strings.ReplaceAll(strings.ReplaceAll(plain, "widget", "gadget"), "Widget", "Gadget")})
	from := published.Source{Manifests: builder.Files{}.Manifests}
	for kind, want := range map[string]int{"": 2, "Gadget": 1} {
		r, err := from.Get(t.Context(), "crd:"+dir, published.Options{Kinds: slices.DeleteFunc([]string{kind}, func(k string) bool { return k == "" })})
		require.NoError(t, err)
		assert.Len(t, r.Resources, want, kind)
	}
}
