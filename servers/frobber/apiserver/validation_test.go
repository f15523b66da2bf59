package apiserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFrobberValidation(t *testing.T) {
	s := newKernel(t).start(t, "1.1")
	refused := s.do("POST", v6, body("Bad_Name", `{"height":-1,"width":-2}`)).json(t, 422)
	assert.Equal(t, "Invalid", refused["reason"])
	var paths []any
	for _, cause := range at(refused, "details", "causes").([]any) {
		paths = append(paths, at(cause, "field"))
	}
	assert.Equal(t, []any{"metadata.name", "spec.height", "spec.width"}, paths)
	s.create("v", `{"height":1}`)
	assert.Contains(t, s.patch(v6+"/v", mergePatch, `{"spec":{"height":-1}}`).json(t, 422)["message"], "spec.height: Invalid value: -1: must not be negative")
	s.patch(v6+"/v", mergePatch, `{"metadata":{"uid":"other"}}`).json(t, 422)
}

func TestFrobberStrictFields(t *testing.T) {
	s := newKernel(t).start(t, "1.1")
	send := func(name, how string) answer {
		return s.do("POST", v6+"?fieldValidation="+how, body(name, `{"height":1,"height":2,"depth":1}`))
	}
	assert.Equal(t, `Frobber in version "v6" cannot be handled as a Frobber: strict decoding error: duplicate field "spec.height", unknown field "spec.depth"`,
		send("strict", "Strict").json(t, 400)["message"])
	warned := send("warn", "Warn")
	warned.json(t, 201)
	assert.Equal(t, []string{`299 - "duplicate field \"spec.height\""`, `299 - "unknown field \"spec.depth\""`}, warned.header.Values("Warning"))
	ignored := send("ignore", "Ignore")
	assert.Nil(t, at(ignored.json(t, 201), "spec", "depth"))
	assert.Empty(t, ignored.header.Values("Warning"))
	assert.Equal(t, 422, s.patch(v6+"/warn?fieldValidation=Strict", strategicPatch, `{"spec":{"depth":1}}`).code)
	assert.Equal(t, 201, s.do("POST", v6+"?fieldValidation=Strict", body("near", `{"height":1,"width":1}`)).code)
}

// TestSmokeGates asks for the same write with a gate off and on.
func TestFrobberGates(t *testing.T) {
	k := newKernel(t)
	const angle = `{"height":1,"angle":30}`
	off := k.start(t, "1.2")
	assert.Nil(t, at(off.create("off", angle), "spec", "angle"))
	assert.Contains(t, string(off.do("GET", "/metrics", "").body), `kubernetes_feature_enabled{name="Frobber2D",stage="ALPHA"} 0`)
	on := k.start(t, "1.2", "--feature-gates=Frobber2D=true,WatchList=false")
	assert.Equal(t, 30., at(on.create("on", angle), "spec", "angle"))
	metrics := string(on.do("GET", "/metrics", "").body)
	assert.Contains(t, metrics, `kubernetes_feature_enabled{name="Frobber2D",stage="ALPHA"} 1`)
	assert.Contains(t, metrics, `kubernetes_feature_enabled{name="WatchList",stage="BETA"} 0`)
	assert.Equal(t, 30., at(off.do("GET", v6+"/on", "").json(t, 200), "spec", "angle"), "what is stored is shown, whatever the gate")
}
