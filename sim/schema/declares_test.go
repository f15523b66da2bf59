package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/schema"
)

// everything has something undeclared at every sort of place.
const everything = `{"apiVersion":"example.dev/v1","kind":"Gadget","zz":1,
"metadata":{"name":"x","labels":{"a":"b"},"zz":1},
"spec":{"size":4,"unknown":{"x":1},"ports":[{"number":80,"zz":1},{"number":81}],"tags":["a","b"],
"steps":[{"run":"x","zz":1}],"plain":["p"],"limits":{"cpu":"1"},"weight":"1","target":1,
"raw":{"q":{"w":[1]}},"free":{"known":"k","zz":{"s":1}},"any":{"zz":[1]},
"tree":{"left":{"left":{"title":"t","zz":2}},"branches":{"b":{"title":"u","zz":1}}},
"nowhere":{"zz":1},"colour":null,"nul":null,"empty":{}}}`

func TestDeclares(t *testing.T) {
	k := gadget(t)
	for text, want := range map[string]bool{
		"":                                     true,
		".spec":                                true,
		".spec.size":                           true,
		".spec.size.deeper":                    false,
		".spec.size[0]":                        false,
		".spec.none":                           false,
		".none":                                false,
		`.spec.ports[number=1,protocol="tcp"]`: true,
		`.spec.ports[number=1,protocol="tcp"].name`: true,
		`.spec.ports[0].name`:                       true,
		`.spec.ports[0].none`:                       false,
		`.spec.ports.name`:                          false,
		`.spec.tags[="a"]`:                          true,
		".spec.steps[0].run":                        true,
		".spec.steps[0].none":                       false,
		".spec.limits.cpu":                          true,
		`.metadata.labels["a/b"]`:                   true,
		".metadata.labels.a.b":                      false,
		".spec.raw.a.b[0].c":                        true,
		".spec.free.known":                          true,
		".spec.free.other.thing":                    true,
		".spec.any.thing[0]":                        true,
		".spec.tree.left.left.left.title":           true,
		".spec.tree.left.left.left.none":            false,
		".spec.tree.branches.x.branches.y.title":    true,
		".spec.nowhere":                             false, // its type is missing
		".spec.nowhere.a":                           false,
	} {
		assert.Equal(t, want, k.Declares(at(t, text)), "%q", text)
	}
}

func TestScalar(t *testing.T) {
	k := gadget(t)
	for text, want := range map[string]string{
		".spec.size":          "numeric",
		".spec.colour":        "string",
		".spec.ports[0].name": "string",
		".spec.raw":           "untyped",
		".spec":               "",
		".spec.tags":          "",
		".spec.none":          "",
		".spec.size.deeper":   "",
		".metadata.name":      "string",
	} {
		assert.Equal(t, want, k.Scalar(at(t, text)), text)
	}
}

func TestDefault(t *testing.T) {
	k := gadget(t)
	for text, want := range map[string]any{
		".spec.size":                     3.0,
		".spec.colour":                   "grey",
		".spec":                          map[string]any{},
		`.spec.ports[number=1].protocol`: "tcp",
		".spec.ports[0].protocol":        "tcp",
		".spec.ports[0].name":            nil,
		".spec.ports[0]":                 nil,
		".spec.tags":                     nil,
		".spec.none":                     nil,
		".spec.none.deeper":              nil,
		".spec.size.deeper":              nil,
		".spec.nowhere.a":                nil,
		".spec.any.a":                    nil,
		"":                               nil,
	} {
		got, ok := k.Default(at(t, text))
		assert.Equal(t, want, got, "%q", text)
		assert.Equal(t, want != nil, ok, "%q", text)
	}
}

// TestDefaultsAbove: the default of a struct, list or map has a value at what it holds, which is not its own default;
// what it does not hold has none.
func TestDefaultsAbove(t *testing.T) {
	const document = `{"components": {"schemas": {"T": {"type": "object",
"x-kubernetes-group-version-kind": [{"group": "example.dev", "version": "v1", "kind": "T"}],
"properties": {"status": {"type": "object", "default": {"phase": "New", "inner": {"a": "outer"}, "conditions": [{"type": "Ready", "reason": "Waiting"}], "names": ["x", "y"]},
"properties": {
"phase": {"type": "string", "default": "own"}, "other": {"type": "string", "default": "own"},
"inner": {"type": "object", "default": {"a": "inner"}, "properties": {"a": {"type": "string"}}},
"names": {"type": "array", "items": {"type": "string"}},
"conditions": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"],
"items": {"type": "object", "properties": {"type": {"type": "string"}, "reason": {"type": "string"}}}}}}}}}}}`
	s, err := schema.Parse([][]byte{[]byte(document)})
	require.NoError(t, err)
	k, ok := s.Kind("example.dev/v1", "T")
	require.True(t, ok)
	for text, want := range map[string][]any{
		".status":          nil,
		".status.phase":    {"New"},
		".status.other":    nil,
		".status.inner.a":  {"inner", "outer"},
		".status.inner.b":  nil,
		".status.names[1]": {"y"},
		".status.names[2]": nil,
		`.status.conditions[type="Ready"].reason`: {"Waiting"},
		`.status.conditions[type="Other"].reason`: nil,
		".nowhere.a": nil,
		"":           nil,
	} {
		assert.Equal(t, want, k.DefaultsAbove(at(t, text)), "%q", text)
	}
}

func TestPrune(t *testing.T) {
	pruned, dropped := gadget(t).Prune(object(t, everything))
	var paths []string
	for _, p := range dropped {
		paths = append(paths, path.String(p))
	}
	assert.Equal(t, []string{
		".metadata.zz", ".spec.empty", ".spec.nul", ".spec.ports[0].zz", ".spec.steps[0].zz",
		".spec.tree.branches.b.zz", ".spec.tree.left.left.zz", ".spec.unknown", ".zz",
	}, paths, "in the order of the names")
	assert.JSONEq(t, `{"apiVersion":"example.dev/v1","kind":"Gadget",
"metadata":{"name":"x","labels":{"a":"b"}},
"spec":{"size":4,"ports":[{"number":80},{"number":81}],"tags":["a","b"],
"steps":[{"run":"x"}],"plain":["p"],"limits":{"cpu":"1"},"weight":"1","target":1,
"raw":{"q":{"w":[1]}},"free":{"known":"k","zz":{"s":1}},"any":{"zz":[1]},
"tree":{"left":{"left":{"title":"t"}},"branches":{"b":{"title":"u"}}},
"nowhere":{"zz":1},"colour":null}}`, asJSON(t, pruned))
}

// TestPruneOfAnotherShape: what is not of the published shape is left for the
// server to refuse.
func TestPruneOfAnotherShape(t *testing.T) {
	k := gadget(t)
	for _, text := range []string{`{"spec":"x"}`, `{"spec":[1]}`, `{"spec":{"ports":{"a":1}}}`, `{"spec":{"size":{"a":1}}}`, `{}`} {
		pruned, dropped := k.Prune(object(t, text))
		assert.JSONEq(t, text, asJSON(t, pruned))
		assert.Empty(t, dropped, text)
	}
	pruned, dropped := k.Prune(nil)
	assert.Empty(t, pruned)
	assert.Empty(t, dropped)
}
