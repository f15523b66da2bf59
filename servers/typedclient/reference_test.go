package typedclient_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/build"
	"github.com/skewsim/skewsim/servers/typedclient"
)

// reference builds a program that uses the release's own clientset, in the very
// module that the typed clients are built in.
func reference(t *testing.T, release string) string {
	t.Helper()
	tiers.NeedAny(t)
	text, err := os.ReadFile("testdata/reference/main.go")
	require.NoError(t, err)
	r, err := typedclient.Recipe(release)
	require.NoError(t, err)
	r.Name, r.Files = "reference", nil
	r.Main = strings.TrimPrefix(string(text), "//go:build ignore\n")
	cache, err := build.OpenCache(t.TempDir())
	require.NoError(t, err)
	built, err := cache.Get(t.Context(), r, &ticker{})
	require.NoError(t, err)
	return built.Path
}

// manyPods are objects in which there is something to get wrong.
func manyPods(t *testing.T) [][]byte {
	all := [][]byte{pod(t)}
	for _, rest := range []string{
		`"spec":{"containers":[{"name":"c","env":[{"name":"a","value":""}],"ports":[],"resources":{}}],"volumes":[{"name":"v","emptyDir":{"mode":448}}]}`,
		`"spec":{"hostNetwork":false,"automountServiceAccountToken":false,"priority":0,"tolerations":null,"volumes":[],"nodeSelector":{}},"status":{}`,
		`"spec":{"containers":[null],"later":{"x":[1]}},"later":1`,
		`"spec":{"containers":[{"name":"c","resources":{"limits":{"cpu":"1000m"}},"livenessProbe":{"httpGet":{"port":"http"}},"readinessProbe":{"httpGet":{"port":80}}}]}`,
	} {
		all = append(all, []byte(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"example","namespace":"demo","creationTimestamp":null,"managedFields":[
			{"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:hostNetwork":{},"f:priority":{},"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:name":{},"f:resources":{}}}}}}]},`+rest+`}`))
	}
	return all
}

// TestKubernetesSameAsTheClientset is what all other tests of this package rest on: that
// the program sends, byte by byte, what the release's clientset sends.
func TestKubernetesSameAsTheClientset(t *testing.T) {
	for _, release := range []string{older, newer} {
		t.Run(release, func(t *testing.T) {
			p, program, manifests := run(t, release), reference(t, release), manyPods(t)
			for _, contentType := range []string{typedclient.JSON, typedclient.Protobuf} {
				sameAs(t, p, program, contentType, manifests)
			}
		})
	}
}

func sameAs(t *testing.T, p *typedclient.Program, reference, contentType string, manifests [][]byte) {
	var requests, answers bytes.Buffer
	var bodies [][]byte
	for _, manifest := range manifests {
		body, err := p.Carry(t.Context(), typedclient.CarryRequest{Kind: kind(t, "v1 Pod"), Body: manifest, To: contentType})
		require.NoError(t, err)
		if contentType == typedclient.JSON {
			body = manifest
		}
		bodies = append(bodies, body)
		require.NoError(t, json.NewEncoder(&requests).Encode(map[string]any{"ContentType": contentType, "Body": body, "Manifest": manifest}))
	}
	c := exec.Command(reference)
	c.Stdin, c.Stdout, c.Stderr = &requests, &answers, os.Stderr
	require.NoError(t, c.Run())
	for i, decoder := 0, json.NewDecoder(&answers); i < len(manifests); i++ {
		var want struct{ Put, Apply, Extract []byte }
		require.NoError(t, decoder.Decode(&want))
		compare(t, p, contentType, bodies[i], manifests[i], want.Put, want.Apply, want.Extract)
	}
}

func compare(t *testing.T, p *typedclient.Program, contentType string, body, manifest, put, apply, extract []byte) {
	v1Pod := kind(t, "v1 Pod")
	got, err := p.Carry(t.Context(), typedclient.CarryRequest{Kind: v1Pod, Body: body, From: contentType, To: contentType})
	require.NoError(t, err)
	assert.Equal(t, string(put), string(got), "PUT of %s", manifest)
	got, err = p.Apply(t.Context(), typedclient.ApplyRequest{Kind: v1Pod, Manifest: manifest})
	require.NoError(t, err)
	assert.Equal(t, string(apply), string(got), "apply of %s", manifest)
	got, err = p.Extract(t.Context(), typedclient.ExtractRequest{Kind: v1Pod, Live: manifest, Manager: "m"})
	require.NoError(t, err)
	assert.Equal(t, string(extract), string(got), "extract of %s", manifest)
}

// TestKubernetesProgramIsVetted: where its files lie, go vet does not see them.
func TestKubernetesProgramIsVetted(t *testing.T) {
	tiers.Need(t, tiers.Kubernetes)
	r, err := typedclient.Recipe(newer)
	require.NoError(t, err)
	dir := t.TempDir()
	tool, err := build.NewGo(dir)
	require.NoError(t, err)
	m, err := r.Resolve(t.Context(), tool)
	require.NoError(t, err)
	files := map[string]string{"go.mod": m.GoMod, "main.go": r.Main}
	for name, text := range r.Files {
		files[name] = text
	}
	for name, text := range files {
		require.NoError(t, os.WriteFile(dir+"/"+name, []byte(text), 0o600))
	}
	// Compiled as gobuild does, so that what it compiled serves here as well.
	_, err = tool.Output(t.Context(), "vet", "-trimpath", ".")
	require.NoError(t, err)
}
