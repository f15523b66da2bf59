package clients_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/typedclient"
)

// bodies of each version, with zeros that were sent and a field of no release.
func bodies() map[string]string {
	const metadata = `"metadata":{"name":"a","namespace":"n","creationTimestamp":null,"labels":{"x":""}}`
	const parts = `"parts":[{"name":"p","size":0},{"name":"q"}],"later":{"x":1}`
	const status = `"status":{"area":6,"replicas":2,"conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-02T03:04:05Z","reason":"x","message":""}]}`
	return map[string]string{
		"v6": `{"kind":"Frobber","apiVersion":"frobbing.example.com/v6",` + metadata +
			`,"spec":{"height":0,"param":"P","replicas":0,"width":5,"angle":0,` + parts + `},` + status + `}`,
		"v5": `{"kind":"Frobber","apiVersion":"frobbing.example.com/v5",` + metadata +
			`,"spec":{"height":0,"arg":"P","replicas":0,"width":5,"angle":0,` + parts + `},` + status + `}`,
		"v7beta1": `{"kind":"Frobber","apiVersion":"frobbing.example.com/v7beta1",` + metadata +
			`,"spec":{"size":{"height":3,"width":0,"angle":7},"param":"","replicas":2,` + parts + `},` + status + `}`,
		"v7alpha1": `{"kind":"Frobber","apiVersion":"frobbing.example.com/v7alpha1",` + metadata +
			`,"spec":{"height":3,"width":0,"angle":7,"param":"","replicas":2,"tilt":0,` + parts + `},` + status + `}`,
	}
}

// bodyFor is a body that a release's clients know how to write.
func bodyFor(name, version string) string {
	body := bodies()[version]
	if name == "1.18+schema" { // whose angle is a text
		body = regexp.MustCompile(`"angle":(\d+)`).ReplaceAllString(body, `"angle":"${1}deg"`)
	}
	return body
}

// protobuf is an object as client-go sends it: its own encoding in an envelope.
func protobuf(t *testing.T, kind schema.GroupVersionKind, o runtime.Object) []byte {
	t.Helper()
	raw, err := o.(interface{ Marshal() ([]byte, error) }).Marshal()
	require.NoError(t, err)
	apiVersion, name := kind.ToAPIVersionAndKind()
	envelope := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: apiVersion, Kind: name}, Raw: raw}
	b, err := envelope.Marshal()
	require.NoError(t, err)
	return append([]byte("k8s\x00"), b...)
}

// TestCarry: a client sends, byte by byte, what the release's own structs are.
func TestCarry(t *testing.T) { testCarry(t, few()) }

func TestFrobberCarry(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	testCarry(t, every())
}

func testCarry(t *testing.T, names []string) {
	t.Helper()
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			p := run(t, name)
			for _, v := range find(t, name).Versions {
				object, kind, body := v.New(), frobber(v.Name), []byte(bodyFor(name, v.Name))
				require.NoError(t, json.Unmarshal(body, object))
				want, err := json.Marshal(object)
				require.NoError(t, err)
				got, err := p.Carry(t.Context(), typedclient.CarryRequest{Kind: kind, Body: body})
				require.NoError(t, err)
				assert.Equal(t, string(want)+"\n", string(got))
				got, err = p.Carry(t.Context(), typedclient.CarryRequest{Kind: kind, Body: body, To: typedclient.Protobuf})
				require.NoError(t, err)
				assert.Equal(t, protobuf(t, kind, object), got)
				got, err = p.Carry(t.Context(), typedclient.CarryRequest{Kind: kind, Body: got, From: typedclient.Protobuf})
				require.NoError(t, err)
				assert.Equal(t, string(want)+"\n", string(got), "back from protobuf")
			}
		})
	}
}

// spec is what is left of a spec on its way through a client.
func spec(t *testing.T, p *typedclient.Program, version, text string) string {
	t.Helper()
	got, err := p.Carry(t.Context(), typedclient.CarryRequest{Kind: frobber(version), Body: []byte(`{"spec":` + text + `}`)})
	require.NoError(t, err)
	var object struct{ Spec json.RawMessage }
	require.NoError(t, json.Unmarshal(got, &object))
	return string(object.Spec)
}

// TestWhatIsDropped is what sets the releases' types apart.
func TestWhatIsDropped(t *testing.T) {
	const empty = `{"height":0,"param":""}`
	for _, c := range []struct{ name, release, version, spec, want string }{
		{"a field of the next release", "1.0", "v6", `{"width":5}`, empty},
		{"known now", "1.1", "v6", `{"width":5}`, `{"height":0,"param":"","width":5}`},
		{"0 behind a pointer", "1.1", "v6", `{"width":0}`, `{"height":0,"param":"","width":0}`},
		{"none", "1.1", "v6", `{}`, empty},
		{"0 of a value", "1.1+value", "v6", `{"width":0}`, empty},
		{"more than 0 of a value", "1.1+value", "v6", `{"width":5}`, `{"height":0,"param":"","width":5}`},
		{"nothing of what must be sent", "1.1+required", "v6", `{}`, `{"height":0,"param":"","width":null}`},
		{"angle", "1.1", "v6", `{"angle":1}`, empty},
		{"angle, gated or not", "1.2", "v6", `{"angle":1}`, `{"height":0,"param":"","angle":1}`},
		{"width in the other version", "1.3", "v7beta1", `{"size":{"width":0}}`, `{"size":{"height":0,"width":0},"param":""}`},
		{"width forgotten", "1.3+forgets", "v7beta1", `{"size":{"width":5}}`, `{"size":{"height":0},"param":""}`},
		{"what no release has", "1.4", "v6", `{"later":1}`, empty},
		{"nothing is defaulted", "1.4", "v6", `{"parts":[{"name":"p"}]}`, `{"height":0,"param":"","parts":[{"name":"p"}]}`},
		{"a name in another case", "1.4", "v6", `{"Width":1}`, empty},
	} {
		assert.JSONEq(t, c.want, spec(t, run(t, c.release), c.version, c.spec), "%s: %s", c.release, c.name)
	}
}

// TestProtobufBetweenReleases: what a client of one release wrote, as one of
// another reads it.
func TestProtobufBetweenReleases(t *testing.T) {
	for _, c := range []struct{ writer, reader, spec, want string }{
		{"1.1", "1.0", `{"height":2,"width":5}`, `{"height":2,"param":""}`},
		{"1.1", "1.2", `{"height":2,"width":5}`, `{"height":2,"param":"","width":5}`},
		{"1.1", "1.1+value", `{"height":2,"width":0}`, `{"height":2,"param":""}`},
		// As Kubernetes' generated code, which writes what is no pointer always.
		{"1.1+value", "1.1", `{"height":2}`, `{"height":2,"param":"","width":0}`},
		{"1.1", "1.2+tag", `{"height":2,"width":5}`, `{"height":2,"param":"","angle":5}`},
	} {
		body, err := run(t, c.writer).Carry(t.Context(), typedclient.CarryRequest{
			Kind: frobber("v6"), Body: []byte(`{"spec":` + c.spec + `}`), To: typedclient.Protobuf,
		})
		require.NoError(t, err)
		body, err = run(t, c.reader).Carry(t.Context(), typedclient.CarryRequest{Kind: frobber("v6"), Body: body, From: typedclient.Protobuf})
		require.NoError(t, err)
		var object struct{ Spec json.RawMessage }
		require.NoError(t, json.Unmarshal(body, &object))
		assert.JSONEq(t, c.want, string(object.Spec), "%s reads %s", c.reader, c.writer)
	}
}

// TestKinds: each release has clients of what it serves, and of its scale.
func TestKinds(t *testing.T) { testKinds(t, few()) }

func TestFrobberKinds(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	testKinds(t, every())
}

func testKinds(t *testing.T, names []string) {
	t.Helper()
	scale := typedclient.Kind{GroupVersionKind: schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}, Apply: true}
	for _, name := range names {
		want := []typedclient.Kind{scale}
		for _, v := range find(t, name).Versions {
			list := frobber(v.Name)
			list.Kind = api.ListKind
			want = append(want, typedclient.Kind{GroupVersionKind: frobber(v.Name), Apply: true}, typedclient.Kind{GroupVersionKind: list})
		}
		slices.SortFunc(want, func(a, b typedclient.Kind) int {
			return strings.Compare(a.GroupVersionKind.String(), b.GroupVersionKind.String())
		})
		assert.Equal(t, want, run(t, name).Kinds(), name)
	}
}

func TestLists(t *testing.T) {
	list := frobber("v6")
	list.Kind = api.ListKind
	got, err := run(t, "1.0").Carry(t.Context(), typedclient.CarryRequest{Kind: list, Body: []byte(`{"metadata":{"resourceVersion":"7"},"items":[{"spec":{"height":1,"width":2}}]}`)})
	require.NoError(t, err)
	assert.Equal(t, `{"kind":"FrobberList","apiVersion":"frobbing.example.com/v6","metadata":{"resourceVersion":"7"},"items":[{"metadata":{},"spec":{"height":1,"param":""},"status":{}}]}`+"\n", string(got))
}

func TestScale(t *testing.T) {
	scale := schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}
	got, err := run(t, "1.0").Carry(t.Context(), typedclient.CarryRequest{Kind: scale, Body: []byte(`{"spec":{"replicas":2}}`)})
	require.NoError(t, err)
	assert.Equal(t, `{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{},"spec":{"replicas":2},"status":{"replicas":0}}`+"\n", string(got))
}

// TestRefusals are answers, not the end of a program.
func TestRefusals(t *testing.T) {
	p := run(t, "1.1")
	refused := func(err error, want string) {
		t.Helper()
		var answer *typedclient.AnswerError
		require.ErrorAs(t, err, &answer)
		assert.ErrorContains(t, err, "typed-client v1.1.0: "+want)
	}
	pod := schema.GroupVersionKind{Version: "v1", Kind: "Pod"}
	_, err := p.Carry(t.Context(), typedclient.CarryRequest{Kind: pod, Body: []byte(`{}`)})
	refused(err, "carry v1 Pod: this release has no types for this kind")
	_, err = p.Carry(t.Context(), typedclient.CarryRequest{Kind: frobber("v7beta1"), Body: []byte(bodies()["v7beta1"])})
	refused(err, "carry frobbing.example.com/v7beta1 Frobber: this release has no types for this kind")
	_, err = p.Carry(t.Context(), typedclient.CarryRequest{Kind: frobber("v6"), Body: []byte(`{"kind":"Scale","apiVersion":"autoscaling/v1"}`)})
	refused(err, "carry frobbing.example.com/v6 Frobber: decode: the body is of kind autoscaling/v1 Scale")
	_, err = p.Carry(t.Context(), typedclient.CarryRequest{Kind: frobber("v6"), Body: []byte(`{"spec":{"width":"x"}}`)})
	refused(err, "carry frobbing.example.com/v6 Frobber: decode: json: cannot unmarshal string into Go struct field ")
	list := frobber("v6")
	list.Kind = api.ListKind
	_, err = p.Apply(t.Context(), typedclient.ApplyRequest{Kind: list, Manifest: []byte(`{}`)})
	refused(err, "apply frobbing.example.com/v6 FrobberList: this release has no apply configuration for this kind")
}
