package published_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
