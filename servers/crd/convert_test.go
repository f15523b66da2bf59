package crd

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rooms are rules with a move, a split and a value that v1 has no place for.
func rooms(parks, loses []string) Rules {
	return Rules{Hub: "v2", Versions: map[string]Version{"v1": {
		Moves: []Move{{From: ".spec.size", To: ".spec.extent"}, {From: ".spec.place", Into: []string{".spec.floor", ".spec.room"}, By: "/"}},
		Parks: parks, Loses: loses,
	}}}
}

const (
	asV2 = `{"apiVersion":"example.dev/v2","kind":"Widget","metadata":{"name":"w"},"spec":{"colour":"red","extent":3,"floor":"2","room":"11"}}`
	asV1 = `{"apiVersion":"example.dev/v1","kind":"Widget","metadata":{"annotations":{"skewsim.dev/parked":"{\".spec.colour\":\"red\"}"},"name":"w"},"spec":{"place":"2/11","size":3}}`
)

// What is parked comes back; what is lost does not, but what was parked before does.
func TestConvert(t *testing.T) {
	right, wrong := rooms([]string{".spec.colour"}, nil), rooms(nil, []string{".spec.colour"})
	there, err := right.Convert([]byte(asV2), "example.dev/v1")
	require.NoError(t, err)
	assert.JSONEq(t, asV1, string(there))
	back, err := right.Convert(there, "example.dev/v2")
	require.NoError(t, err)
	assert.JSONEq(t, asV2, string(back))

	lost, err := wrong.Convert([]byte(asV2), "example.dev/v1")
	require.NoError(t, err)
	assert.NotContains(t, string(lost), "red")
	kept, err := wrong.Convert([]byte(asV1), "example.dev/v2")
	require.NoError(t, err)
	assert.JSONEq(t, asV2, string(kept))
}

// What is not there stays so, and what stands in the way of a place gives way.
func TestConvertPartly(t *testing.T) {
	for from, want := range map[string]string{
		`{"apiVersion":"example.dev/v2","spec":{"floor":"2"}}`:       `{"apiVersion":"example.dev/v1","spec":{"place":"2"}}`,
		`{"apiVersion":"example.dev/v2"}`:                            `{"apiVersion":"example.dev/v1"}`,
		`{"apiVersion":"example.dev/v2","spec":null}`:                `{"apiVersion":"example.dev/v1","spec":null}`,
		`{"apiVersion":"example.dev/v3","spec":{"extent":3}}`:        `{"apiVersion":"example.dev/v1","spec":{"size":3}}`,
		`{"apiVersion":"example.dev/v2","spec":{"extent":{"of":3}}}`: `{"apiVersion":"example.dev/v1","spec":{"size":{"of":3}}}`,
	} {
		is, err := rooms(nil, nil).Convert([]byte(from), "example.dev/v1")
		require.NoError(t, err)
		assert.JSONEq(t, want, string(is))
	}
	_, err := rooms(nil, nil).Convert([]byte(`[]`), "example.dev/v1")
	assert.Error(t, err)
	broken := strings.Replace(asV1, `"{\".spec.colour\":\"red\"}"`, `"{"`, 1)
	_, err = rooms([]string{".spec.colour"}, nil).Convert([]byte(broken), "example.dev/v2")
	assert.ErrorContains(t, err, "annotation skewsim.dev/parked")
}

func TestRulesProblems(t *testing.T) {
	hooked := withWebhook(plain)
	rules := "apiVersion: skewsim.dev/v1\nkind: Conversion\n"
	for body, want := range map[string]string{
		"hub: v2\n":      `m/r.yaml:1: hub: "v2" is not a version of widgets.example.dev (v1)`,
		"versions: {}\n": "m/r.yaml:1: hub: missing",
		"hub: v1\nversions:\n  v1: {parks: [.a]}\n":                             "m/r.yaml:5: versions.v1: is the hub",
		"hub: v1\nversions:\n  v0:\n    parks: [spec.a]\n":                      `m/r.yaml:6: versions.v0.parks[0]: "spec.a" is not a path of fields`,
		"hub: v1\nversions:\n  v0:\n    parks: [.metadata.name]\n":              "metadata is never converted",
		"hub: v1\nversions:\n  v0:\n    moves:\n    - {from: .a}\n":             "m/r.yaml:7: versions.v0.moves[0]: needs one of to and into",
		"hub: v1\nversions:\n  v0:\n    moves:\n    - {from: .a, into: [.b]}\n": "into needs by",
		"hub: v1\nversion: {}\n":                                                `m/r.yaml:4: version: no such field in a Conversion`,
	} {
		_, err := Read("m", folder("a.yaml", hooked, "r.yaml", rules+body))
		assert.ErrorContains(t, err, want)
	}
	_, err := Read("m", folder("a.yaml", plain, "r.yaml", rules+"hub: v1\n"))
	assert.ErrorContains(t, err, "no definition has spec.conversion.strategy: Webhook")
	_, err = Read("m", folder("a.yaml", hooked, "r.yaml", rules+"hub: v1\n"))
	assert.NoError(t, err)
}

// TestRulesOfKinds: rules that name kinds convert those alone, and each kind by its own; a kind that none are for
// is without rules. A name that is no kind of the folder, or of one that no webhook converts, is an error with its
// line, and with the name that is meant.
func TestRulesOfKinds(t *testing.T) {
	hooked := withVersion(withWebhook(plain))
	gadgets := strings.ReplaceAll(strings.ReplaceAll(hooked, "widget", "gadget"), "Widget", "Gadget")
	parts := strings.ReplaceAll(strings.ReplaceAll(plain, "widget", "part"), "Widget", "Part")
	rules := "apiVersion: skewsim.dev/v1\nkind: Conversion\nhub: v1\n"
	read := func(texts ...string) (Set, error) {
		files := []string{"a.yaml", hooked, "b.yaml", gadgets, "c.yaml", parts}
		for i, text := range texts {
			files = append(files, "r"+string(rune('1'+i))+".yaml", rules+text)
		}
		return Read("m", folder(files...))
	}
	set, err := read("kinds: [Widget]\nversions: {v0: {moves: [{from: .spec.a, to: .spec.b}]}}\n")
	require.NoError(t, err)
	assert.Equal(t, []string{"gadgets.example.dev"}, set.Unruled)

	set, err = read("kinds: [Widget.example.dev]\nversions: {v0: {moves: [{from: .spec.a, to: .spec.b}]}}\n", "versions: {v0: {moves: [{from: .spec.a, to: .spec.c}]}}\n")
	require.NoError(t, err)
	assert.Empty(t, set.Unruled)
	for kind, want := range map[string]string{"Widget": "b", "Gadget": "c"} {
		is, err := set.Conversion.convert([]byte(`{"apiVersion":"example.dev/v0","kind":"`+kind+`","spec":{"a":1}}`), "example.dev/v1")
		require.NoError(t, err)
		assert.JSONEq(t, `{"apiVersion":"example.dev/v1","kind":"`+kind+`","spec":{"`+want+`":1}}`, string(is))
	}
	_, err = Conversions{{Kinds: []string{"Widget"}}}.convert([]byte(`{"apiVersion":"example.dev/v0","kind":"Gadget"}`), "example.dev/v1")
	assert.Error(t, err)

	for want, texts := range map[string][]string{
		`m/r1.yaml:4: kinds[0]: Widgit: the folder defines no such kind: did you mean "Widget"?`: {"kinds: [Widgit]\n"},
		"m/r1.yaml:5: kinds[0]: Widget.other.dev: the folder defines no such kind":               {"kinds:\n- Widget.other.dev\n"},
		"m/r1.yaml:4: kinds[0]: Part: no webhook converts this kind":                             {"kinds: [Part]\n"},
		"m/r2.yaml:4: kinds[0]: Widget: the rules in m/r1.yaml:1 are for this kind already":      {"kinds: [Widget]\n", "kinds: [Widget]\n"},
		"m/r2.yaml:1: rules of conversion again":                                                 {"", ""},
		"m/r3.yaml:1: rules of conversion, and all kinds":                                        {"kinds: [Widget]\n", "kinds: [Gadget]\n", ""},
		"m/r1.yaml:4: kind s: no such field in a Conversion (known: kinds, hub":                  {"kind s: [Widget]\n"},
		"m/r1.yaml:1: not rules of conversion":                                                   {"kinds: Widget\n"},
	} {
		_, err := read(texts...)
		assert.ErrorContains(t, err, want)
	}
}
