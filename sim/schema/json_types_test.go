package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/schema"
)

// typed is a kind whose .spec has a field of each type.
func typed(t *testing.T) schema.Kind {
	t.Helper()
	of := func(kind string) map[string]any { return map[string]any{"type": kind} }
	with := func(of map[string]any, key string, v any) map[string]any { of[key] = v; return of }
	either := []any{of("integer"), of("string")}
	fields := map[string]any{
		"text": of("string"), "whole": of("integer"), "small": with(of("integer"), "format", "int32"), "real": of("number"), "flag": of("boolean"),
		"list": with(of("array"), "items", of("string")), "map": with(of("object"), "additionalProperties", of("integer")),
		"parts": map[string]any{"type": "array", "items": map[string]any{"$ref": "#/components/schemas/Part"}, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []any{"name"}},
		"part":  map[string]any{"$ref": "#/components/schemas/Part"}, "free": of("object"),
		"either": map[string]any{"x-kubernetes-int-or-string": true, "anyOf": either}, "one": map[string]any{"oneOf": either, "type": "string"},
		"raw":      with(with(of("object"), "x-kubernetes-preserve-unknown-fields", true), "properties", map[string]any{"size": of("integer")}),
		"embedded": with(with(of("object"), "x-kubernetes-embedded-resource", true), "properties", map[string]any{"kind": of("string")}),
		"any":      map[string]any{}, "nothing": with(of("string"), "nullable", true),
	}
	kind := with(of("object"), "properties", map[string]any{"spec": with(of("object"), "properties", fields)})
	kind["x-kubernetes-group-version-kind"] = []any{map[string]any{"group": "example.dev", "version": "v1", "kind": "Thing"}}
	document := asJSON(t, map[string]any{"openapi": "3.0.0", "info": map[string]any{}, "paths": map[string]any{}, "components": map[string]any{
		"schemas": map[string]any{"Thing": kind, "Part": with(of("object"), "properties", map[string]any{"name": of("string"), "size": of("integer")})},
	}})
	s, err := schema.Parse([][]byte{[]byte(document)})
	require.NoError(t, err)
	k, ok := s.Kind(apiVersion, "Thing")
	require.True(t, ok)
	return k
}

// TestMisfit: a value of another JSON type than its field's does not fit, wherever it stands.
func TestMisfit(t *testing.T) {
	k := typed(t)
	for spec, want := range map[string]string{
		`{"text": 5}`:                 ".spec.text: number, not string",
		`{"text": {"a": "b"}}`:        ".spec.text: object, not string",
		`{"text": true}`:              ".spec.text: bool, not string",
		`{"whole": "5"}`:              ".spec.whole: string, not int64",
		`{"whole": 1.5}`:              ".spec.whole: number, not int64",
		`{"small": 3000000000}`:       ".spec.small: number, not int32",
		`{"real": "1.5"}`:             ".spec.real: string, not float64",
		`{"flag": "true"}`:            ".spec.flag: string, not bool",
		`{"list": {"a": "b"}}`:        ".spec.list: object, not array",
		`{"list": ["a", 5]}`:          ".spec.list[1]: number, not string",
		`{"map": ["a"]}`:              ".spec.map: array, not object",
		`{"map": {"a": 1, "b": "c"}}`: ".spec.map.b: string, not int64",
		`{"part": {"size": "5"}}`:     ".spec.part.size: string, not int64",
		`{"parts": [{"name": "a", "size": 1}, {"name": "b", "size": "2"}]}`: `.spec.parts[name="b"].size: string, not int64`,
		`{"part": "x"}`:                 ".spec.part: string, not object",
		`{"raw": {"size": "5"}}`:        ".spec.raw.size: string, not int64",
		`{"unknown": 5, "whole": true}`: ".spec.whole: bool, not int64",
	} {
		misfit, is := k.Misfit(object(t, `{"spec": `+spec+`}`))
		assert.True(t, is, spec)
		assert.Equal(t, want, path.String(misfit.Path)+": "+misfit.Is+", not "+misfit.Wants)
	}
}

// TestFits: null and absent values, whole numbers, what may be of several types, and what is not
// published.
func TestFits(t *testing.T) {
	k := typed(t)
	for _, spec := range []string{
		`{}`, `null`, `{"text": null, "whole": null, "list": null, "part": null, "nothing": null}`, `{"list": [null]}`,
		`{"text": "5", "whole": 5, "small": 2000000000, "real": 1.5, "flag": true}`, `{"whole": 5.0, "real": 5}`, `{"whole": -9000000000}`,
		`{"either": 5}`, `{"either": "5"}`, `{"one": 5}`, `{"any": 5}`, `{"any": {"a": [5]}}`, `{"free": {"a": 5, "b": "c"}}`,
		`{"raw": "text"}`, `{"raw": {"other": [5], "size": 5}}`, `{"embedded": {"kind": 5}}`, `{"unknown": 5, "part": {"unknown": {"a": 5}}}`,
	} {
		_, is := k.Misfit(object(t, `{"spec": `+spec+`}`))
		assert.False(t, is, spec)
	}
	_, is := schema.Kind{}.Misfit(object(t, `{"spec": 5}`))
	assert.False(t, is)
}
