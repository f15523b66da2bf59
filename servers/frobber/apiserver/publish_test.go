package apiserver_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFrobberDiscovery(t *testing.T) {
	s := newKernel(t).start(t, "1.3")
	group := s.do("GET", "/apis/frobbing.example.com", "").json(t, 200)
	assert.Equal(t, "frobbing.example.com/v6", at(group, "preferredVersion", "groupVersion"))
	assert.Len(t, group["versions"], 3)
	resources := s.do("GET", "/apis/frobbing.example.com/v7beta1", "").json(t, 200)["resources"].([]any)
	require.Len(t, resources, 3)
	frobbers := resources[0].(map[string]any)
	assert.Equal(t, "frobbers", frobbers["name"])
	assert.Equal(t, []any{"frob"}, frobbers["shortNames"])
	assert.Equal(t, []any{"all"}, frobbers["categories"])
	assert.Equal(t, []any{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}, frobbers["verbs"])
	assert.NotEmpty(t, frobbers["storageVersionHash"])
	assert.Equal(t, "autoscaling", at(resources[1], "group"))
	assert.Equal(t, "frobbers/status", at(resources[2], "name"))

	aggregated := s.do("GET", "/apis", "", "Accept: application/json;v=v2;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList").json(t, 200)
	assert.Equal(t, "APIGroupDiscoveryList", aggregated["kind"])
	versions := at(aggregated["items"].([]any)[0], "versions").([]any)
	assert.Equal(t, []any{"v6", "v5", "v7beta1"}, []any{at(versions[0], "version"), at(versions[1], "version"), at(versions[2], "version")})
	assert.Len(t, at(at(versions[0], "resources").([]any)[0], "subresources"), 2)
}

// TestSmokeStorageVersionHash: it is of the version stored in, not of that served.
func TestFrobberStorageVersionHash(t *testing.T) {
	k := newKernel(t)
	hash := func(release string, flags ...string) any {
		return at(k.start(t, release, flags...).do("GET", "/apis/frobbing.example.com/v6", "").json(t, 200)["resources"].([]any)[0], "storageVersionHash")
	}
	assert.Equal(t, hash("1.0"), hash("1.3"))
	assert.NotEqual(t, hash("1.3"), hash("1.3", "--storage-version=v7beta1"))
}

func TestFrobberOpenAPI(t *testing.T) {
	k := newKernel(t)
	s, older := k.start(t, "1.3"), k.start(t, "1.0")
	v2 := s.do("GET", "/openapi/v2", "").json(t, 200)
	v3 := s.do("GET", "/openapi/v3/apis/frobbing.example.com/v6", "").json(t, 200)
	for name, all := range map[string]any{"v2": v2["definitions"], "v3": at(v3, "components", "schemas")} {
		spec := at(all, "com.example.frobbing.v6.FrobberSpec")
		assert.NotEmpty(t, at(spec, "properties", "width", "description"), name)
		assert.Contains(t, at(all, "com.example.frobbing.v6.Frobber", "description"), "Frobber is the kind", name)
		parts := at(spec, "properties", "parts")
		assert.Equal(t, "map", at(parts, "x-kubernetes-list-type"), name)
		assert.Equal(t, []any{"name"}, at(parts, "x-kubernetes-list-map-keys"), name)
		assert.Equal(t, "merge", at(parts, "x-kubernetes-patch-strategy"), name)
		assert.Equal(t, "name", at(parts, "x-kubernetes-patch-merge-key"), name)
		assert.Equal(t, []any{map[string]any{"group": "frobbing.example.com", "kind": "Frobber", "version": "v6"}},
			at(all, "com.example.frobbing.v6.Frobber", "x-kubernetes-group-version-kind"), name)
		assert.Contains(t, all, "io.k8s.api.autoscaling.v1.Scale", name)
	}
	assert.Equal(t, 1., at(v3, "components", "schemas", "com.example.frobbing.v6.FrobberSpec", "properties", "width", "default"))
	assert.Contains(t, v2["definitions"], "com.example.frobbing.v7beta1.FrobberSpec")
	assert.Contains(t, v2["paths"], "/apis/frobbing.example.com/v6/namespaces/{namespace}/frobbers/{name}/scale")
	before := at(older.do("GET", "/openapi/v3/apis/frobbing.example.com/v6", "").json(t, 200), "components", "schemas").(map[string]any)
	now := at(v3, "components", "schemas").(map[string]any)
	for name := range before {
		require.Contains(t, now, name, "a later release names what it publishes as an earlier one did")
		if name != "com.example.frobbing.v6.FrobberSpec" {
			assert.Equal(t, before[name], now[name], name)
		}
	}
	assert.NotContains(t, at(before["com.example.frobbing.v6.FrobberSpec"], "properties"), "width")
}

func TestFrobberTable(t *testing.T) {
	s := newKernel(t).start(t, "1.3")
	s.create("row", `{"height":3,"param":"x"}`)
	for _, path := range []string{v6, v7, v6 + "/row"} {
		table := s.do("GET", path, "", "Accept: application/json;as=Table;v=v1;g=meta.k8s.io").json(t, 200)
		var names []any
		for _, c := range table["columnDefinitions"].([]any) {
			names = append(names, at(c, "name"))
		}
		assert.Equal(t, []any{"Name", "Height", "Param", "Age"}, names)
		assert.Equal(t, []any{"row", 3., "x"}, at(table["rows"].([]any)[0], "cells").([]any)[:3])
	}
}

func TestFrobberNobodyElseGetsIn(t *testing.T) {
	s := newKernel(t).start(t, "1.1")
	for _, path := range []string{v6, "/version", "/readyz", "/metrics", "/openapi/v2"} {
		assert.Equal(t, http.StatusUnauthorized, s.do("GET", path, "", "Authorization: ").code, path)
		assert.Equal(t, http.StatusUnauthorized, s.do("GET", path, "", "Authorization: Bearer wrong").code, path)
		assert.NotEqual(t, http.StatusUnauthorized, s.do("GET", path, "").code, path)
	}
}

func TestFrobberVersionAndHealth(t *testing.T) {
	k := newKernel(t)
	s := k.start(t, "1.1+required")
	assert.Equal(t, "v1.1.0+required", s.do("GET", "/version", "").json(t, 200)["gitVersion"])
	assert.Equal(t, "v1.0.0", k.start(t, "1.0").do("GET", "/version", "").json(t, 200)["gitVersion"])
	for _, path := range []string{"/healthz", "/livez", "/readyz"} {
		assert.Equal(t, "ok", string(s.do("GET", path, "").body), path)
	}
	assert.Contains(t, string(s.do("GET", "/readyz?verbose", "").body), "[+]poststarthook/storage-readiness ok")
	var index struct{ Paths []string }
	require.NoError(t, json.Unmarshal(s.do("GET", "/", "").body, &index))
	for _, path := range index.Paths {
		assert.False(t, strings.HasPrefix(path, "/api/"), path)
	}
}
