package apiserver_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const (
	mergePatch     = "application/merge-patch+json"
	strategicPatch = "application/strategic-merge-patch+json"
	jsonPatch      = "application/json-patch+json"
	applyPatch     = "application/apply-patch+yaml"
)

func TestFrobberPatchTypes(t *testing.T) {
	s := newKernel(t).start(t, "1.1")
	const parts = `{"height":1,"parts":[{"name":"a","size":1},{"name":"b","size":2}]}`
	for mediaType, c := range map[string]struct{ patch, parts string }{
		mergePatch:     {`{"spec":{"parts":[{"name":"c"}]}}`, "[map[name:c]]"},
		strategicPatch: {`{"spec":{"$setElementOrder/parts":[{"name":"c"},{"name":"b"}],"parts":[{"name":"c"},{"name":"a","$patch":"delete"},{"name":"b","size":5}]}}`, "[map[name:c] map[name:b size:5]]"},
		jsonPatch:      {`[{"op":"test","path":"/spec/parts/0/name","value":"a"},{"op":"remove","path":"/spec/parts/0"}]`, "[map[name:b size:2]]"},
		applyPatch:     {`{"apiVersion":"frobbing.example.com/v6","kind":"Frobber","spec":{"parts":[{"name":"c"}]}}`, "[map[name:a size:1] map[name:b size:2] map[name:c]]"},
	} {
		name := strings.NewReplacer("application/", "", "+", "").Replace(mediaType)
		s.create(name, parts)
		o := s.patch(v6+"/"+name+"?fieldManager=test", mediaType, c.patch).json(t, 200)
		assert.Equal(t, c.parts, fmt.Sprint(at(o, "spec", "parts")), mediaType)
	}
	s.patch(v6+"/x", "text/plain", `{}`).json(t, http.StatusUnsupportedMediaType)
}

func applied(spec string) string {
	return `{"apiVersion":"frobbing.example.com/v6","kind":"Frobber","metadata":{"name":"s"},"spec":` + spec + `}`
}

func TestFrobberServerSideApply(t *testing.T) {
	s := newKernel(t).start(t, "1.1")
	at1, at2 := v6+"/s?fieldManager=one", v6+"/s?fieldManager=two"
	s.patch(at1, applyPatch, applied(`{"height":1,"param":"p","width":3,"parts":[{"name":"a","size":1}]}`)).json(t, http.StatusCreated)
	o := s.patch(at2, applyPatch, applied(`{"parts":[{"name":"b"}]}`)).json(t, 200)
	assert.Len(t, at(o, "spec", "parts"), 2)

	conflict := s.patch(at2, applyPatch, applied(`{"height":2,"parts":[{"name":"b"}]}`)).json(t, 409)
	assert.Equal(t, `Apply failed with 1 conflict: conflict with "one": .spec.height`, conflict["message"])
	o = s.patch(at2+"&force=true", applyPatch, applied(`{"height":2,"parts":[{"name":"b"}]}`)).json(t, 200)
	assert.Equal(t, 2., at(o, "spec", "height"))

	o = s.patch(at1, applyPatch, applied(`{"param":"p"}`)).json(t, 200)
	assert.Equal(t, "[map[name:b]]", fmt.Sprint(at(o, "spec", "parts")), "what its manager no longer applies goes")
	assert.Equal(t, 1., at(o, "spec", "width"), "and comes back as its default")
	assert.Equal(t, 2., at(o, "spec", "height"), "but for what another owns")

	yaml := "apiVersion: frobbing.example.com/v6\nkind: Frobber\nspec:\n  param: q\n"
	assert.Equal(t, "q", at(s.patch(at1, applyPatch, yaml).json(t, 200), "spec", "param"))
	unknown := s.patch(at1, applyPatch, applied(`{"depth":1}`)).json(t, 500)
	assert.Contains(t, unknown["message"], ".spec.depth: field not declared in schema")
}

// managers tells who owns which parts of an object: name, operation, subresource.
func managers(o map[string]any) (all []string) {
	entries, _ := at(o, "metadata", "managedFields").([]any)
	for _, e := range entries {
		sub, _ := at(e, "subresource").(string)
		all = append(all, fmt.Sprintf("%s %s %s %v", at(e, "manager"), at(e, "operation"), sub, at(e, "fieldsV1")))
	}
	return all
}

func TestFrobberStatus(t *testing.T) {
	s := newKernel(t).start(t, "1.1")
	s.create("s", `{"height":2}`)
	status := strings.TrimSuffix(body("s", `{"height":9}`), "}") + `,"status":{"replicas":4,"area":77}}`
	o := s.do("PUT", v6+"/s/status?fieldManager=controller", status).json(t, 200)
	assert.Equal(t, map[string]any{"area": 2., "replicas": 4.}, o["status"], "the server's own part is computed")
	assert.Equal(t, 2., at(o, "spec", "height"), "a write of the status keeps the spec")
	assert.Equal(t, 1., at(o, "metadata", "generation"))
	assert.NotContains(t, managers(o)[1], "f:spec", "nobody owns what was reset")
	o = s.do("PUT", v6+"/s?fieldManager=user", strings.Replace(status, `"replicas":4`, `"replicas":5`, 1)).json(t, 200)
	assert.Equal(t, 4., at(o, "status", "replicas"), "a write of the object keeps the status")
	assert.Equal(t, 9., at(o, "spec", "height"))
	assert.Equal(t, []string{
		"controller Update status map[f:status:map[f:area:map[] f:replicas:map[]]]",
		"user Update  map[f:spec:map[f:height:map[]]]",
	}, managers(o)[1:], "nobody owns what was reset")
	condition := `{"status":{"conditions":[{"type":"Ready","status":"True","reason":"r","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}`
	s.patch(v6+"/s/status", strategicPatch, condition).json(t, 200)
	o = s.patch(v6+"/s/status", strategicPatch, strings.Replace(condition, "Ready", "Done", 1)).json(t, 200)
	assert.Len(t, at(o, "status", "conditions"), 2, "conditions merge by type")
	assert.Equal(t, 9., at(s.do("GET", v6+"/s/status", "").json(t, 200), "spec", "height"))
	s.do("PUT", v6+"/none/status", body("none", `{}`)).json(t, 404)
}

func TestFrobberScale(t *testing.T) {
	s := newKernel(t).start(t, "1.3")
	s.create("s", `{"height":2,"replicas":2}`)
	for _, path := range []string{v6 + "/s/scale", v7 + "/s/scale"} {
		o := s.do("GET", path, "").json(t, 200)
		assert.Equal(t, "autoscaling/v1 Scale", fmt.Sprint(o["apiVersion"], " ", o["kind"]))
		assert.Equal(t, map[string]any{"replicas": 2.}, o["spec"])
		assert.Equal(t, map[string]any{"replicas": 0.}, o["status"])
	}
	put := func(replicas int) answer {
		return s.do("PUT", v6+"/s/scale?fieldManager=hpa", fmt.Sprintf(`{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"s","namespace":"default"},"spec":{"replicas":%d}}`, replicas))
	}
	assert.Equal(t, 5., at(put(5).json(t, 200), "spec", "replicas"))
	o := s.do("GET", v6+"/s", "").json(t, 200)
	assert.Equal(t, 5., at(o, "spec", "replicas"))
	assert.Equal(t, 2., at(o, "metadata", "generation"))
	assert.Contains(t, managers(o), "hpa Update scale map[f:spec:map[f:replicas:map[]]]")
	refused := put(-1).json(t, 422)
	assert.Equal(t, `Scale.autoscaling "s" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0`, refused["message"])

	for _, mediaType := range []string{mergePatch, strategicPatch} {
		assert.Equal(t, 6., at(s.patch(v6+"/s/scale", mediaType, `{"spec":{"replicas":6}}`).json(t, 200), "spec", "replicas"))
	}
}

func TestFrobberScaleByApply(t *testing.T) {
	s := newKernel(t).start(t, "1.1")
	s.patch(v6+"/s?fieldManager=user", applyPatch, applied(`{"height":1,"replicas":2}`)).json(t, http.StatusCreated)
	scale := `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"s"},"spec":{"replicas":7}}`
	conflict := s.patch(v6+"/s/scale?fieldManager=hpa", applyPatch, scale).json(t, 409)
	assert.Equal(t, `Apply failed with 1 conflict: conflict with "user": .spec.replicas`, conflict["message"])
	o := s.patch(v6+"/s/scale?fieldManager=hpa&force=true", applyPatch, scale).json(t, 200)
	assert.Equal(t, 7., at(o, "spec", "replicas"))
	o = s.do("GET", v6+"/s", "").json(t, 200)
	assert.Equal(t, []string{
		"hpa Apply scale map[f:spec:map[f:replicas:map[]]]", "user Apply  map[f:spec:map[f:height:map[]]]",
	}, managers(o))
	again := s.patch(v6+"/s?fieldManager=user", applyPatch, applied(`{"height":1,"replicas":2}`)).json(t, 409)
	assert.Contains(t, again["message"], `conflict with "hpa" with subresource "scale"`)
}
