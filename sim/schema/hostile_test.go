package schema_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/schema"
)

// nested is a document that is n levels deep.
func nested(n int, open, inner, shut string) string {
	return strings.Repeat(open, n) + inner + strings.Repeat(shut, n)
}

// published is a document whose gadget has the members given, beside other definitions.
func published(members string, others ...string) string {
	all := append([]string{`"A":{"x-kubernetes-group-version-kind":[{"group":"example.dev","version":"v1","kind":"Gadget"}],` + members + `}`}, others...)
	return `{"components":{"schemas":{` + strings.Join(all, ",") + `}}}`
}

// hostileDocuments lead in circles, nowhere, or far down.
func hostileDocuments() map[string]string {
	const a, b = `"$ref":"#/components/schemas/A"`, `"$ref":"#/components/schemas/B"`
	spec := func(of string) string { return `"type":"object","properties":{"spec":{` + of + `}}` }
	return map[string]string{
		"refers to itself":   published(a),
		"all of itself":      published(`"allOf":[{` + a + `}]`),
		"a circle":           published(spec(b), `"B":{`+spec(a)+`}`),
		"a circle of refs":   published(b, `"B":{`+a+`}`),
		"a map of itself":    published(`"type":"object","additionalProperties":{` + a + `}`),
		"a list of itself":   published(`"type":"array","items":{` + a + `}`),
		"missing":            published(spec(`"$ref":"#/components/schemas/none"`)),
		"a ref to elsewhere": published(spec(`"$ref":"https://example.dev/x.json#/y"`)),
		"not an object":      published(`"type":"string"`),
		"nothing":            published(`"type":"object"`),
		"invalid keys":       published(spec(`"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a",7]`)),
		"odd ties":           `{"components":{"schemas":{"A":{"x-kubernetes-group-version-kind":[7]},"B":{"x-kubernetes-group-version-kind":"x"}}}}`,
		"all of each other":  published(`"allOf":[{`+b+`}]`, `"B":{"allOf":[{`+a+`}]}`),
		"a list of lists":    published(spec(b), `"B":{"type":"array","items":{`+b+`},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"]}`),
		"a set of itself":    published(spec(b), `"B":{"type":"array","items":{`+b+`},"x-kubernetes-list-type":"set"}`),
		"an invalid map":     published(spec(b+`,"x-kubernetes-map-type":"atomic"`), `"B":{"type":"string"}`),
		"a missing map":      published(spec(`"$ref":"#/components/schemas/none","x-kubernetes-map-type":"granular"`)),
		"keys of no member":  published(spec(`"type":"array","items":{`+b+`},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["none"]`), `"B":{"type":"object","properties":{"a":{"type":"string"}}}`),
		"keys by default":    published(spec(`"type":"array","items":{`+b+`},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"]`), `"B":{"type":"object","properties":{"a":{"default":{"b":[1]}}}}`),
		"a kind of lists":    published(`"type":"array","items":{"type":"array","items":{}}`),
		"an empty name":      published(spec(`"$ref":"#/components/schemas/"`), `"":{`+a+`}`),
		"several types":      published(`"type":["object","string"]`),
		"deep":               published(spec(nested(500, `"type":"object","properties":{"spec":{`, ``, `}}`))),
	}
}

func hostileObjects() map[string]string {
	return map[string]string{
		"deep maps":   nested(5000, `{"spec":`, `1`, `}`),
		"deep lists":  `{"spec":` + nested(1000, `[`, `1`, `]`) + `}`,
		"deep ports":  `{"spec":{"ports":` + nested(2000, `[{"number":`, `1`, `}]`) + `}}`,
		"deep tree":   `{"spec":{"tree":` + nested(5000, `{"left":`, `{}`, `}`) + `}}`,
		"many":        `{"spec":{"tags":[` + strings.TrimSuffix(strings.Repeat(`"a",`, 500), ",") + `]}}`,
		"odd names":   `{"":{"\u0000":{".":{"[":{"\"":1}}}}}`,
		"no list map": `{"spec":{"ports":[null,1,"x",[],{},{"number":null},{"number":{}}],"tags":[null,{},[]]}}`,
	}
}

// use calls everything a run and the oracle call, and checks what must hold of any input.
func use(t testing.TB, k schema.Kind, o map[string]any) {
	was := asJSON(t, o)
	for name, leaf := range k.Leaves(o) {
		assert.Equal(t, name, path.String(leaf.Path))
		k.Declares(leaf.Path)
		k.Default(leaf.Path)
		k.Gating().Gates(leaf.Path)
	}
	pruned, dropped := k.Prune(o)
	for _, p := range dropped {
		_, there := path.Get(pruned, p)
		assert.False(t, there, path.String(p))
	}
	if _, again := k.Prune(pruned); len(dropped) > 0 {
		assert.Empty(t, again, "what is pruned has nothing to prune")
	}
	assert.Equal(t, was, asJSON(t, o))
}

// TestHostile plays every hostile document with every hostile object: nothing
// panics, and nothing goes on for ever.
func TestHostile(t *testing.T) {
	kinds := map[string]schema.Kind{"gadget": gadget(t)}
	for name, text := range hostileDocuments() {
		s, err := schema.Parse([][]byte{[]byte(text)})
		require.NoError(t, err, name)
		k, ok := s.Kind(apiVersion, "Gadget")
		assert.Equal(t, name != "odd ties", ok, name)
		kinds[name] = k
	}
	for _, k := range kinds {
		for _, text := range hostileObjects() {
			use(t, k, object(t, text))
		}
	}
}

// TestDepthIsBounded: below the bound an object is one leaf.
func TestDepthIsBounded(t *testing.T) {
	leaves := gadget(t).Leaves(object(t, nested(5000, `{"a":`, `1`, `}`)))
	assert.Equal(t, []string{strings.Repeat(".a", 201)}, pathsOf(leaves))
}

// FuzzKind holds that no document and no object makes the package panic.
func FuzzKind(f *testing.F) {
	f.Add(document(f), []byte(everything))
	for _, text := range hostileDocuments() {
		f.Add([]byte(text), []byte(`{"spec":{"spec":[{"a":1}]}}`))
	}
	for _, text := range hostileObjects() {
		f.Add([]byte(`{"components":{}}`), []byte(text))
	}
	f.Fuzz(func(t *testing.T, doc, obj []byte) {
		var o map[string]any
		if utiljson.Unmarshal(obj, &o) != nil {
			return
		}
		s, err := schema.Parse([][]byte{doc})
		if err != nil {
			assert.Nil(t, s)
			return
		}
		k, _ := s.Kind(apiVersion, "Gadget")
		use(t, k, o)
	})
}
