package client_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/plan"
)

func object(t testing.TB, text string) map[string]any {
	t.Helper()
	var o map[string]any
	require.NoError(t, utiljson.Unmarshal([]byte(text), &o))
	return o
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return string(raw)
}

// base is the manifest that patches are computed from.
const base = `{"metadata":{"labels":{"skewsim.dev/touch":"untouched"}},
"spec":{"size":1,"parts":[{"name":"p","size":1},{"name":"q","size":2}],"tags":["a","b"],"list":[1,2]}}`

// setting is a step that sets fields; null removes.
func setting(t testing.TB, verb term.Verb, fields string) plan.Step {
	return plan.Step{Number: 7, Verb: verb, Change: &plan.Change{Kind: plan.Fields, Fields: object(t, fields)}}
}

// bodies are, by the fields that a step sets, the bodies that verbs send.
type bodies map[string]map[term.Verb]string

const (
	untouched = `"metadata":{"labels":{"skewsim.dev/touch":"untouched"}}`
	parts     = `"parts":[{"name":"p","size":1},{"name":"q","size":2}]`
	rest      = `"tags":["a","b"],"list":[1,2]`
)

// bodiesOfFields set fields, of elements that are there too.
func bodiesOfFields() bodies {
	return bodies{
		`{".spec.size":9007199254740993}`: {
			term.Put:            `{` + untouched + `,"spec":{"size":9007199254740993,` + parts + `,` + rest + `}}`,
			term.MergePatch:     `{"spec":{"size":9007199254740993}}`,
			term.StrategicPatch: `{"spec":{"size":9007199254740993}}`,
			term.StatusPatch:    `{"spec":{"size":9007199254740993}}`,
			term.JSONPatch:      `[{"op":"add","path":"/spec/size","value":9007199254740993}]`,
		},
		`{".spec.size":null}`: {
			term.Put:            `{` + untouched + `,"spec":{` + parts + `,` + rest + `}}`,
			term.MergePatch:     `{"spec":{"size":null}}`,
			term.StrategicPatch: `{"spec":{"size":null}}`,
			term.JSONPatch:      `[{"op":"remove","path":"/spec/size"}]`,
		},
		`{".spec.parts[name=\"q\"].size":5}`: {
			term.Put:            `{` + untouched + `,"spec":{"size":1,"parts":[{"name":"p","size":1},{"name":"q","size":5}],` + rest + `}}`,
			term.MergePatch:     `{"spec":{"parts":[{"name":"p","size":1},{"name":"q","size":5}]}}`,
			term.StrategicPatch: `{"spec":{"parts":[{"name":"q","size":5}]}}`,
			term.JSONPatch:      `[{"op":"add","path":"/spec/parts/1/size","value":5}]`,
		},
		`{".spec.parts[name=\"p\"].size":8,".spec.parts[name=\"q\"].size":9}`: { // two of one list
			term.MergePatch:     `{"spec":{"parts":[{"name":"p","size":8},{"name":"q","size":9}]}}`,
			term.StrategicPatch: `{"spec":{"parts":[{"name":"p","size":8},{"name":"q","size":9}]}}`,
			term.JSONPatch:      `[{"op":"add","path":"/spec/parts/0/size","value":8},{"op":"add","path":"/spec/parts/1/size","value":9}]`,
		},
	}
}

// bodiesOfElements add, replace and remove elements.
func bodiesOfElements() bodies {
	return bodies{
		`{".spec.parts[name=\"p\"]":null,".spec.parts[name=\"q\"].size":9}`: { // the first moves the second
			term.Put:            `{` + untouched + `,"spec":{"size":1,"parts":[{"name":"q","size":9}],` + rest + `}}`,
			term.MergePatch:     `{"spec":{"parts":[{"name":"q","size":9}]}}`,
			term.StrategicPatch: `{"spec":{"parts":[{"name":"p","$patch":"delete"},{"name":"q","size":9}]}}`,
			term.JSONPatch:      `[{"op":"remove","path":"/spec/parts/0"},{"op":"add","path":"/spec/parts/0/size","value":9}]`,
		},
		`{".spec.parts[name=\"r\"]":{"size":3}}`: { // an element comes with its key
			term.Put:            `{` + untouched + `,"spec":{"size":1,"parts":[{"name":"p","size":1},{"name":"q","size":2},{"name":"r","size":3}],` + rest + `}}`,
			term.MergePatch:     `{"spec":{"parts":[{"name":"p","size":1},{"name":"q","size":2},{"name":"r","size":3}]}}`,
			term.StrategicPatch: `{"spec":{"parts":[{"name":"r","size":3}]}}`,
			term.JSONPatch:      `[{"op":"add","path":"/spec/parts/-","value":{"name":"r","size":3}}]`,
		},
		`{".spec.parts[name=\"p\"]":{"size":3}}`: { // an element that is there is not added again
			term.StrategicPatch: `{"spec":{"parts":[{"name":"p","size":3}]}}`,
			term.JSONPatch:      `[{"op":"replace","path":"/spec/parts/0","value":{"name":"p","size":3}}]`,
		},
		`{".spec.tags[=\"c\"]":"c"}`: {
			term.MergePatch:     `{"spec":{"tags":["a","b","c"]}}`,
			term.StrategicPatch: `{"spec":{"tags":["c"]}}`,
			term.JSONPatch:      `[{"op":"add","path":"/spec/tags/-","value":"c"}]`,
		},
		`{".spec.tags[=\"a\"]":null}`: {
			term.MergePatch: `{"spec":{"tags":["b"]}}`,
			term.JSONPatch:  `[{"op":"remove","path":"/spec/tags/0"}]`,
		},
		`{".spec.list[1]":7}`: {
			term.MergePatch: `{"spec":{"list":[1,7]}}`,
			term.JSONPatch:  `[{"op":"replace","path":"/spec/list/1","value":7}]`,
		},
		`{".spec.none.deeper":null}`: { // nothing to remove
			term.Put:       `{` + untouched + `,"spec":{"size":1,` + parts + `,` + rest + `}}`,
			term.JSONPatch: `[]`,
		},
		`{".metadata.annotations[\"a~b/c\"]":null,".metadata.labels[\"a~b/c\"]":"x"}`: { // RFC 6901
			term.MergePatch: `{"metadata":{"annotations":{"a~b/c":null},"labels":{"a~b/c":"x"}}}`,
			term.JSONPatch:  `[{"op":"add","path":"/metadata/labels/a~0b~1c","value":"x"}]`,
		},
	}
}

// TestBodies sends one mutation by every verb that can carry it.
func TestBodies(t *testing.T) {
	for _, all := range []bodies{bodiesOfFields(), bodiesOfElements()} {
		for fields, want := range all {
			for verb, body := range want {
				was := object(t, base)
				raw, err := bodyOf(t, setting(t, verb, fields), was)
				require.NoError(t, err, "%s: %s", verb, fields)
				assert.JSONEq(t, body, string(raw), "%s: %s", verb, fields)
				assert.Equal(t, object(t, base), was, "%s: %s: the object is left as it was", verb, fields)
			}
		}
	}
}

// dynamic is a client that carries everything.
func dynamic() client.Client { return client.Client{Types: client.Untyped(client.Merging{})} }

func bodyOf(t testing.TB, s plan.Step, was map[string]any) ([]byte, error) {
	var body client.Body
	var err error
	if s.Verb == term.Put {
		body, err = dynamic().Replace(t.Context(), s, []byte(asJSON(t, was)))
	} else {
		body, err = dynamic().Patch(t.Context(), s, was)
	}
	return body.JSON, err
}

func TestTouch(t *testing.T) {
	label := plan.Change{Kind: plan.Label, Names: []string{`.metadata.labels["skewsim.dev/touch"]`}}
	condition := plan.Change{Kind: plan.Condition, Names: []string{`.status.conditions[type="skewsim.dev/Touched"]`}}
	for verb, c := range map[term.Verb]struct {
		change  plan.Change
		content string
		body    string
	}{
		term.JSONPatch:      {label, "application/json-patch+json", `[{"op":"add","path":"/metadata/labels/skewsim.dev~1touch","value":"step-7"}]`},
		term.MergePatch:     {label, "application/merge-patch+json", `{"metadata":{"labels":{"skewsim.dev/touch":"step-7"}}}`},
		term.StrategicPatch: {label, "application/strategic-merge-patch+json", `{"metadata":{"labels":{"skewsim.dev/touch":"step-7"}}}`},
		term.StatusPatch: {condition, "application/merge-patch+json", `{"status":{"conditions":[{"type":"skewsim.dev/Touched",
			"status":"True","reason":"Touched","message":"step-7","lastTransitionTime":"2000-01-01T00:00:00Z"}]}}`},
	} {
		body, err := dynamic().Patch(t.Context(), plan.Step{Number: 7, Verb: verb, Change: &c.change}, object(t, base))
		require.NoError(t, err, verb)
		assert.Equal(t, c.content, body.ContentType, verb)
		assert.JSONEq(t, c.body, string(body.Bytes), verb)
	}
}

// TestGivenBody is sent as it stands.
func TestGivenBody(t *testing.T) {
	for verb, body := range map[term.Verb]any{
		term.MergePatch: map[string]any{"spec": nil},
		term.JSONPatch:  []any{map[string]any{"op": "test", "path": "/x"}},
	} {
		got, err := dynamic().Patch(t.Context(), plan.Step{Verb: verb, Change: &plan.Change{Kind: plan.Body, Body: body}}, nil)
		require.NoError(t, err)
		assert.Equal(t, asJSON(t, body), string(got.Bytes))
	}
}

// TestJSONPatchMakesParents adds what is missing above a path before the path:
// a server refuses to add below nothing.
func TestJSONPatchMakesParents(t *testing.T) {
	raw, err := bodyOf(t, setting(t, term.JSONPatch, `{".spec.none.deeper":1}`), object(t, base))
	require.NoError(t, err)
	assert.JSONEq(t, `[{"op":"add","path":"/spec/none","value":{}},{"op":"add","path":"/spec/none/deeper","value":1}]`, string(raw))
}

// TestKeysLeftToTheirDefaults finds the one element that a path can mean, though
// the manifest leaves one of its keys out, and adds another where two could be.
func TestKeysLeftToTheirDefaults(t *testing.T) {
	set := setting(t, term.MergePatch, `{".ports[number=80,protocol=\"TCP\"].name":"web"}`)
	for manifest, want := range map[string]string{
		`{"ports":[{"number":80},{"number":53,"protocol":"UDP"}]}`: `{"ports":[{"number":80,"protocol":"TCP","name":"web"},{"number":53,"protocol":"UDP"}]}`,
		`{"ports":[{"number":80,"protocol":"UDP"}]}`:               `{"ports":[{"number":80,"protocol":"UDP"},{"number":80,"protocol":"TCP","name":"web"}]}`,
	} {
		raw, err := bodyOf(t, set, object(t, manifest))
		require.NoError(t, err, manifest)
		assert.JSONEq(t, want, string(raw), manifest)
	}
}

func TestRefusedChanges(t *testing.T) {
	for want, step := range map[string]plan.Step{
		"get is no patch": {Verb: term.Get, Change: &plan.Change{}},
		"set .spec.size.deeper: path \".spec.size.deeper\": \".spec.size\" is a number, not a map":           setting(t, term.Put, `{".spec.size.deeper":1}`),
		"strategic-patch: .spec.list[0]: cannot address an element by its index; use json-patch or put":      setting(t, term.StrategicPatch, `{".spec.list[0]":1}`),
		"strategic-patch: .spec.steps[0].run: cannot address an element by its index; use json-patch or put": setting(t, term.StrategicPatch, `{".spec.steps[0].run":"x"}`),
		`strategic-patch: .spec.tags[="a"]: cannot remove an element without a key; use json-patch or put`:   setting(t, term.StrategicPatch, `{".spec.tags[=\"a\"]":null}`),
		"set .spec.list[5]: path \".spec.list[5]\": index 5 of a list of 2":                                  setting(t, term.MergePatch, `{".spec.list[5]":1}`),
		"put: a body change assigns nothing":                                                                 {Verb: term.Put, Change: &plan.Change{Kind: plan.Body}},
		`"x": position 1: a path starts at the object's root with "." or "[", as .spec does`:                 setting(t, term.MergePatch, `{"x":1}`),
	} {
		raw, err := bodyOf(t, step, object(t, base))
		assert.EqualError(t, err, want)
		assert.Nil(t, raw, want)
	}
}

func TestSpecimen(t *testing.T) {
	body := object(t, `{"apiVersion":"v1","kind":"G","metadata":{"name":"old","namespace":"other","generateName":"g-","labels":{"a":"b"}}}`)
	p := &plan.Plan{Scenario: "s", Namespace: "n", Manifests: map[string]plan.Manifest{
		"o.yaml": {Body: body}, "bare.yaml": {Body: object(t, `{"kind":"G"}`)},
		"generated.yaml": {Body: object(t, `{"kind":"G","metadata":{"generateName":"g-"}}`)},
		"bound.yaml":     {Body: object(t, `{"kind":"G","metadata":{"name":"$(copy.name).g"},"spec":{"of":["$(copy.name)","$(HOME)"],"in":"$(copy.namespace)"}}`)},
	}}
	was := asJSON(t, body)
	for want, c := range map[string]struct {
		manifest   string
		namespaced bool
		given      string
	}{
		`{"apiVersion":"v1","kind":"G","metadata":{"name":"c","namespace":"n","labels":{"a":"b","skewsim.dev/touch":"untouched"}}}`:    {"o.yaml", true, ""},
		`{"apiVersion":"v1","kind":"G","metadata":{"name":"s-c","labels":{"a":"b","skewsim.dev/touch":"untouched"}}}`:                  {"o.yaml", false, ""},
		`{"kind":"G","metadata":{"name":"c","namespace":"n","labels":{"skewsim.dev/touch":"untouched"}}}`:                              {"bare.yaml", true, ""},
		`{"kind":"G","metadata":{"generateName":"s-c-","labels":{"skewsim.dev/touch":"untouched"}}}`:                                   {"generated.yaml", false, ""},
		`{"kind":"G","metadata":{"name":"c-abcde","namespace":"n","labels":{"skewsim.dev/touch":"untouched"}}}`:                        {"generated.yaml", true, "c-abcde"},
		`{"kind":"G","metadata":{"name":"s-c.g","labels":{"skewsim.dev/touch":"untouched"}},"spec":{"of":["s-c","$(HOME)"],"in":"n"}}`: {"bound.yaml", false, ""},
	} {
		assert.JSONEq(t, want, asJSON(t, client.Specimen(p, plan.Copy{Name: "c", Manifest: c.manifest}, c.namespaced, c.given)))
	}
	assert.Equal(t, was, asJSON(t, body), "the manifest serves the next copy too")
}

func TestResource(t *testing.T) {
	for want, r := range map[string]client.Resource{
		"/api/v1/namespaces/n/gadgets":                  {APIVersion: "v1", Plural: "gadgets", Namespace: "n"},
		"/api/v1/gadgets":                               {APIVersion: "v1", Plural: "gadgets"},
		"/apis/example.dev/v1/namespaces/n/gadgets":     {APIVersion: "example.dev/v1", Plural: "gadgets", Namespace: "n"},
		"/apis/example.dev/v1/namespaces/a%2Fb/gadgets": {APIVersion: "example.dev/v1", Plural: "gadgets", Namespace: "a/b"},
	} {
		assert.Equal(t, want, r.Collection())
		assert.Equal(t, want+"/x:y%2Fz", r.Object("x:y/z"))
	}
}
