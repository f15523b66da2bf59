package published_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/published"
)

// answers are those of a server with one kind in two versions, which is stored in the second.
func answers() map[string]string {
	sum := sha256.Sum256([]byte("example.com/v2/Widget"))
	list := `{"kind":"APIResourceList","resources":[
		{"name":"widgets","kind":"Widget","namespaced":true,"verbs":["create","get"],"shortNames":["w"],"categories":["all"],"storageVersionHash":"` + base64.StdEncoding.EncodeToString(sum[:8]) + `"},
		{"name":"widgets/status","kind":"Widget","verbs":["get"]}]}`
	return map[string]string{
		"/version": `{"gitVersion":"v1.2.3"}`,
		"/metrics": "kubernetes_feature_enabled{name=\"Shine\",stage=\"ALPHA\"} 0\n",
		"/apis": `{"groups":[{"name":"example.com","preferredVersion":{"groupVersion":"example.com/v1","version":"v1"},
			"versions":[{"groupVersion":"example.com/v1"},{"groupVersion":"example.com/v2"}]}]}`,
		"/apis/example.com/v1":            list,
		"/apis/example.com/v2":            list,
		"/openapi/v3/apis/example.com/v1": `{"components":{"schemas":{}}}`,
	}
}

func ask(t *testing.T, b servers.Build) published.Release {
	t.Helper()
	all := answers()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if text, is := all[r.URL.Path]; is {
			fmt.Fprint(w, text)
			return
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(server.Close)
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	r, err := published.Ask(t.Context(), conn, b)
	require.NoError(t, err)
	return r
}

// TestAsk: discovery, documents and gates of a server, with the version that hashes name.
func TestAsk(t *testing.T) {
	r := ask(t, servers.Build{Reference: "widgets@1.2"})
	assert.Equal(t, "v1.2.3", r.Version)
	assert.Equal(t, map[string]string{"example.com": "v1"}, r.Preferred)
	assert.Equal(t, map[string]published.Feature{"Shine": {Stage: "ALPHA"}}, r.Features)
	require.Len(t, r.Resources, 2)
	for i, version := range []string{"v1", "v2"} {
		of := r.Resources[i]
		assert.Equal(t, "example.com/"+version, of.APIVersion)
		assert.Equal(t, []string{"w"}, of.ShortNames)
		assert.Equal(t, []string{"all"}, of.Categories)
		assert.Equal(t, []string{"status"}, of.Subresources)
		assert.Equal(t, "v2", of.StorageVersion)
	}
	assert.Contains(t, r.Documents, "example.com/v1")
	assert.Len(t, r.Missing, 1, "one version has no document")
}

// TestAskManifests: of a server with manifests, only what they define counts, and no gate of
// the server below.
func TestAskManifests(t *testing.T) {
	other := ask(t, servers.Build{Reference: "m", Installs: &servers.Installation{Defines: []string{"gadgets.other.example.com"}}})
	assert.Empty(t, other.Resources)
	assert.Empty(t, other.Documents)
	assert.Empty(t, other.Preferred)
	assert.Empty(t, other.Features)
	const definition = `{"spec":{"conversion":{"strategy":"Webhook"},"versions":[{"name":"v1"},{"name":"v2","schema":{"openAPIV3Schema":{"properties":{"metadata":{"properties":{"name":{"maxLength":8,"description":"of the widget"}}}}}},"deprecated":true,"deprecationWarning":"use v3",
		"additionalPrinterColumns":[{"name":"Size","jsonPath":".spec.size","type":"integer","priority":1}],"selectableFields":[{"jsonPath":".spec.mode"}],
		"subresources":{"scale":{"specReplicasPath":".spec.size","statusReplicasPath":".status.size"}}}]}}`
	own := ask(t, servers.Build{Reference: "m", Installs: &servers.Installation{Defines: []string{"widgets.example.com"}, Objects: []json.RawMessage{json.RawMessage(definition)}}})
	require.Len(t, own.Resources, 2)
	plain, defined := own.Resources[0], own.Resources[1]
	assert.Empty(t, plain.Scale+plain.Metadata+strings.Join(slices.Concat(plain.Columns, plain.Selectable), " "))
	assert.Equal(t, []string{".spec.size, .status.size", `{"name":{"maxLength":8}}`}, []string{defined.Scale, defined.Metadata})
	assert.Equal(t, [][]string{{"Size .spec.size integer priority 1"}, {".spec.mode"}}, [][]string{defined.Columns, defined.Selectable})
	assert.Equal(t, []string{"", "use v3"}, []string{plain.Deprecated, defined.Deprecated})
	assert.Equal(t, []string{"Webhook", "Webhook"}, []string{plain.Conversion, defined.Conversion}, "no sweep says that the definition names no webhook")
	assert.Len(t, own.Documents, 1)
}
