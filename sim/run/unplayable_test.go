package run

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// withParts has each release publish a list-map, .spec.parts, beside what it has; and
// only the new one serve /scale.
func withParts(t *testing.T, w *runtest.World) {
	t.Helper()
	raw := runtest.OpenAPI("v2")
	const parts = `"parts": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
		"items": {"type": "object", "properties": {"name": {"type": "string"}, "size": {"type": "integer"}}}}, `
	document := strings.Replace(string(raw), `"later": {`, parts+`"later": {`, 1)
	w.Answer = func(place, _, path string) (int, string) {
		switch {
		case path == "/openapi/v3/apis/example.dev/v1":
			return 200, document
		case place == "scratch-new" && path == "/apis/example.dev/v1":
			return 200, `{"resources":[{"name":"gadgets","kind":"Gadget","namespaced":true},
				{"name":"gadgets/status","kind":"Gadget"},{"name":"gadgets/scale","kind":"Scale"}]}`
		}
		return 0, ""
	}
}

const oneForm = "name: small\nabout: x\nobjects: {x: {bystander: bystander.yaml}}\njourney: [upgrade]\nplay:\n- {create: x, via: old}\n"

// TestLineError: lines of which no call can be played, and paths by which no list names
// its elements.
func TestLineError(t *testing.T) {
	const elsewhere = "; if releases of other pairs have it, say which with releases.old and releases.new"
	for line, want := range map[string]string{
		"- {touch: x, subresource: nosuch, verb: merge-patch}":                                    "no call of this line can be executed: /nosuch of Gadget is served by neither v1 nor v2: leave it out" + elsewhere,
		"- {touch: x, subresource: statu, verb: [merge-patch, put]}":                              `no call of this line can be executed: /statu of Gadget is served by neither v1 nor v2: did you mean "status"?` + elsewhere,
		"- {delete: x, verb: evict}":                                                              "no call of this line can be executed: /eviction of Gadget is served by neither v1 nor v2: leave it out" + elsewhere,
		"- {set: x, fields: {'.spec.parts[name=\"b\"].size': 3}, verb: json-patch}":               `no call of this line can be executed: json-patch: .spec.parts[name="b"].size: the manifest has no .spec.parts[name="b"] to put it in; give the manifest an empty one, or correct the path, or add the element with verb put`,
		"- {set: x, fields: {'.spec.parts[nam=\"b\"].size': 3}}":                                  `.spec.parts[nam="b"].size: no element of .spec.parts is named [nam="b"]: write [name=...]`,
		"- {get: x, respond: {fields: {'.spec.parts[=\"b\"]': null}}}":                            `.spec.parts[="b"]: no element of .spec.parts is named [="b"]: write [name=...]`,
		"expect: [{check: rule-2, path: '.spec.parts[size=3].name'}]":                             `.spec.parts[size=3].name: no element of .spec.parts is named [size=3]: write [name=...]`,
		"- {touch: x, via: new, at: old}":                                                         "no call of this line can be executed: no replica runs the new release",
		"- {touch: x, via: new, at: old, verb: [put, merge-patch], client: [dynamic, new-typed]}": "no call of this line can be executed: no replica runs the new release",
		"- {touch: x, apiVersion: example.dev/v9}":                                                "no call of this line can be executed: Gadget of apiVersion example.dev/v9 is served by neither v1 nor v2: it is served as example.dev/v1; correct it, or switch the version on with runtimeConfig" + elsewhere,
		"- {get: x, apiVersion: [example.dev/v8, example.dev/v9], at: new}":                       "no call of this line can be executed: Gadget of apiVersion example.dev/v9 is served by neither v1 nor v2: it is served as example.dev/v1; correct it, or switch the version on with runtimeConfig" + elsewhere,
	} {
		w := runtest.NewWorld(t)
		withParts(t, w)
		assert.EqualError(t, Check(runtest.Bounded(t), config(t, w, runtest.SmallPlan(t, oneForm+line))), "small.yaml:7: "+want)
	}
}

// TestLinesThatPlay: similar lines of which some call can be executed, with some pair.
func TestLinesThatPlay(t *testing.T) {
	for _, line := range []string{
		"- {touch: x, verb: [status-patch, scale-patch]}", // the new release alone has a scale
		"- {set: x, fields: {'.spec.parts[name=\"b\"].size': 3}, verb: [put, json-patch]}",
		"- {set: x, fields: {'.spec.parts[name=\"b\"]': {name: b, size: 3}}, verb: json-patch}",
		"- {set: x, fields: {'.spec.parts[size=3].name': c}}",
		"- {touch: x, apiVersion: [example.dev/v1, example.dev/v9]}",
		"- {touch: x, apiVersion: preferred}",
		"- {touch: x, via: [old, new], at: old}",
		"- {touch: x, client: [old-apply, dynamic], verb: [put, apply], via: new, at: [old, new]}",
		"expect: [{check: rule-2, path: '.spec.parts[name=\"nope\"].size'}, {check: rule-1, path: '.spec.parts[0].size'}]",
	} {
		w := runtest.NewWorld(t)
		withParts(t, w)
		require.NoError(t, Check(runtest.Bounded(t), config(t, w, runtest.SmallPlan(t, oneForm+line))), line)
	}
	other := func(change func(*plan.Plan)) error {
		p := runtest.SmallPlan(t, oneForm+"- {touch: x, subresource: nosuch, verb: merge-patch}")
		change(p)
		return Check(runtest.Bounded(t), config(t, runtest.NewWorld(t), p))
	}
	require.Error(t, other(func(*plan.Plan) {}))
	require.NoError(t, other(func(p *plan.Plan) { p.Mutant = &plan.Mutant{Name: "silent"} }))
	require.NoError(t, other(func(p *plan.Plan) { p.Leg = &plan.Leg{} }), "another leg may have it")
	require.NoError(t, other(func(p *plan.Plan) { p.AA = "old" }), "the release that is left out may have it")
}
