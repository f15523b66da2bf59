package schema_test

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/schema"
)

func pathsOf(l schema.Leaves) []string { return slices.Sorted(maps.Keys(l)) }

// TestLeaves gives, for the spec of a gadget, each leaf with its value in the
// form in which equal values are equal.
func TestLeaves(t *testing.T) {
	k := gadget(t)
	for spec, want := range map[string]map[string]string{
		`{}`:                             {".spec": "empty"},
		`{"size":4,"colour":"red"}`:      {".spec.size": "4", ".spec.colour": `"red"`},
		`{"size":null}`:                  {},
		`{"big":12345678901234567}`:      {".spec.big": "12345678901234567"},
		`{"unknown":{"a":[{"b":true}]}}`: {".spec.unknown.a[0].b": "true"},
		`{"ports":[{"number":80}]}`:      {`.spec.ports[number=80,protocol="tcp"].number`: "80"},
		`{"ports":[{"number":1,"protocol":"udp"},{"number":1}]}`: {
			`.spec.ports[number=1,protocol="udp"].number`:   "1",
			`.spec.ports[number=1,protocol="udp"].protocol`: `"udp"`,
			`.spec.ports[number=1,protocol="tcp"].number`:   "1",
		},
		`{"ports":[{"number":1},{"number":1}]}`:    {".spec.ports[0].number": "1", ".spec.ports[1].number": "1"}, // a key twice
		`{"ports":[{"number":1},{"name":"n"}]}`:    {".spec.ports[0].number": "1", ".spec.ports[1].name": `"n"`}, // a key missing
		`{"ports":[{"number":[1]}]}`:               {".spec.ports[0].number[0]": "1"},
		`{"ports":["x"]}`:                          {".spec.ports[0]": `"x"`},
		`{"ports":[]}`:                             {".spec.ports": "empty"},
		`{"ports":{"number":1}}`:                   {".spec.ports.number": "1"}, // not a list at all
		`{"tags":["b","a"]}`:                       {`.spec.tags[="a"]`: `"a"`, `.spec.tags[="b"]`: `"b"`},
		`{"tags":["a","a"]}`:                       {".spec.tags[0]": `"a"`, ".spec.tags[1]": `"a"`},
		`{"tags":[{"a":1}]}`:                       {".spec.tags[0].a": "1"},
		`{"steps":[{"run":"x"},{}]}`:               {".spec.steps[0].run": `"x"`, ".spec.steps[1]": "empty"},
		`{"plain":["x","y"]}`:                      {".spec.plain[0]": `"x"`, ".spec.plain[1]": `"y"`},
		`{"plain":[null,"y"]}`:                     {".spec.plain[1]": `"y"`},
		`{"limits":{"cpu":"1000m","a.b/c":2}}`:     {".spec.limits.cpu": "quantity 1", `.spec.limits["a.b/c"]`: "quantity 2"},
		`{"target":5}`:                             {".spec.target": "5"},
		`{"target":"5"}`:                           {".spec.target": `"5"`},
		`{"since":"2020-01-01T01:00:00+01:00"}`:    {".spec.since": "time 2020-01-01T00:00:00Z"},
		`{"tick":"2020-01-01T00:00:00.500000Z"}`:   {".spec.tick": "time 2020-01-01T00:00:00.5Z"},
		`{"since":"yesterday"}`:                    {".spec.since": `"yesterday"`},
		`{"since":7}`:                              {".spec.since": "7"},
		`{"raw":{"a":{"b":[1]}},"any":[[1]]}`:      {".spec.raw.a.b[0]": "1", ".spec.any[0][0]": "1"},
		`{"tree":{"left":{"left":{"title":"t"}}}}`: {".spec.tree.left.left.title": `"t"`},
		`{"nowhere":{"a":1}}`:                      {".spec.nowhere.a": "1"},
		`{"weight":"1"}`:                           {".spec.weight": "quantity 1"},
	} {
		got := map[string]string{}
		leaves := k.Leaves(object(t, `{"spec":`+spec+`}`))
		for name, leaf := range leaves {
			got[name] = leaf.Semantic
			assert.Equal(t, name, path.String(leaf.Path), spec)
		}
		assert.Equal(t, want, got, spec)
	}
	assert.Equal(t, schema.Leaves{"": {Path: nil, Value: map[string]any{}, Semantic: schema.Empty}}, k.Leaves(map[string]any{}))
	assert.Empty(t, pathsOf(k.Leaves(object(t, `{"spec":null}`))))
}

// TestQuantities: spellings of one amount are one, others are not.
func TestQuantities(t *testing.T) {
	k := gadget(t)
	semantic := func(v any) string {
		return k.Leaves(map[string]any{"spec": map[string]any{"weight": v}})[".spec.weight"].Semantic
	}
	for _, same := range [][]any{
		{"1", "1000m", "1e0", int64(1), 1.0, "1.000"},
		{"1Gi", "1073741824", "1024Mi"},
		{"0", "0m", "-0"},
		{"1E", "1000000000000000000", "1e18"},
	} {
		for _, v := range same {
			assert.Equal(t, semantic(same[0]), semantic(v), "%v", v)
		}
	}
	for _, pair := range [][2]any{{"1", "2"}, {"1m", "1"}, {"1G", "1Gi"}, {"x", "y"}, {true, "true"}} {
		assert.NotEqual(t, semantic(pair[0]), semantic(pair[1]), "%v", pair)
	}
	for _, hostile := range []string{"1e999999999", "1E-999999999", "1e+0000999999999"} {
		assert.Equal(t, `"`+hostile+`"`, semantic(hostile), "it must not be expanded")
	}
}

func TestLeavesKeepTheValue(t *testing.T) {
	leaves := gadget(t).Leaves(object(t, `{"spec":{"weight":"1000m","size":9007199254740993}}`))
	assert.Equal(t, "1000m", leaves[".spec.weight"].Value)
	assert.Equal(t, int64(9007199254740993), leaves[".spec.size"].Value)
}

func TestText(t *testing.T) {
	for want, v := range map[string]any{
		`"a\"b"`: `a"b`, "1": int64(1), "null": nil, `{"a":[1]}`: map[string]any{"a": []any{int64(1)}}, "unprintable": math.NaN(),
	} {
		assert.Equal(t, want, schema.Text(v))
	}
}

func TestInputStaysAsItIs(t *testing.T) {
	k := gadget(t)
	o := object(t, everything)
	before := asJSON(t, o)
	k.Leaves(o)
	pruned, _ := k.Prune(o)
	assert.Equal(t, before, asJSON(t, o))
	pruned["spec"].(map[string]any)["size"] = "changed"
	assert.Equal(t, before, asJSON(t, o), "what was pruned is a copy")
}

// TestSiblingsKeepTheirPaths: paths are built by appending, and must not share
// what they are built in.
func TestSiblingsKeepTheirPaths(t *testing.T) {
	leaves := gadget(t).Leaves(object(t, everything))
	all := fieldpath.NewSet()
	for _, leaf := range leaves {
		all.Insert(leaf.Path)
	}
	assert.Equal(t, len(leaves), all.Size())
}

// TestPlainValuesAreJSON holds that what is written without the encoder is what
// the encoder writes.
func TestPlainValuesAreJSON(t *testing.T) {
	kind := gadget(t)
	for _, v := range []any{"", "a", "with space ~", "\t", `"`, `\\`, "<", ">", "&", "é", "\u2028", "\x7f", "\xff", int64(0), int64(-7), int64(math.MaxInt64), true, false, 1.5, 1e30} {
		raw, err := json.Marshal(v)
		require.NoError(t, err)
		for _, leaf := range kind.Leaves(map[string]any{"unknown": v}) {
			assert.Equal(t, string(raw), leaf.Semantic)
		}
	}
}
