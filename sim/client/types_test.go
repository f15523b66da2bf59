package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// gadget is a kind that the test document publishes, with sizes and no more.
func gadget(t testing.TB) schema.Kind {
	t.Helper()
	document, err := os.ReadFile("testdata/gadget.json")
	require.NoError(t, err)
	s, err := schema.Parse([][]byte{document})
	require.NoError(t, err)
	kind, ok := s.Kind("example.dev/v1", "Gadget")
	require.True(t, ok)
	return kind
}

// approximated is a client with types derived from the schema.
func approximated(t testing.TB) client.Client {
	return client.Client{Types: client.Approximate(gadget(t), client.Merging{}), Declares: gadget(t).Declares}
}

// TestApproximateMisreads: a value of another JSON type than the schema's makes the answer
// unreadable, as Go's decoder does; a client without types reads it.
func TestApproximateMisreads(t *testing.T) {
	for body, reads := range map[string]bool{
		`{"spec":{"size":"1h"}}`: false, `{"spec":{"size":1.5}}`: false, `{"spec":[]}`: false,
		`{"spec":{"size":1.0}}`: true, `{"spec":{"size":null}}`: true, `{"spec":{}}`: true, `{"spec":{"later":"1h"}}`: true,
	} {
		_, err := approximated(t).Types.Carry(t.Context(), []byte(body), term.JSON, term.JSON)
		var unfit *client.UnfitError
		assert.Equal(t, !reads, errors.As(err, &unfit), body)
		_, err = dynamic().Types.Carry(t.Context(), []byte(body), term.JSON, term.JSON)
		assert.NoError(t, err, body)
	}
}

// TestApproximate: nothing is carried that the published form has no place for,
// read or set; dynamic carries everything.
func TestApproximate(t *testing.T) {
	const was = `{"spec":{"size":1,"later":2}}`
	step := setting(t, term.Put, `{".spec.size":3,".spec.latest":4}`)
	for want, with := range map[string]client.Client{
		`{"spec":{"size":3}}`:                      approximated(t),
		`{"spec":{"size":3,"later":2,"latest":4}}`: dynamic(),
	} {
		body, err := with.Replace(t.Context(), step, []byte(was))
		require.NoError(t, err)
		assert.JSONEq(t, want, string(body.Bytes))
		assert.Equal(t, "application/json", body.ContentType)
	}
	for want, with := range map[string]client.Client{`{"spec":{"size":1}}`: approximated(t), was: dynamic()} {
		body, err := with.New(t.Context(), object(t, was), term.JSON)
		require.NoError(t, err)
		assert.JSONEq(t, want, string(body.Bytes))
		body, err = with.Apply(t.Context(), plan.Step{}, object(t, was))
		require.NoError(t, err)
		assert.JSONEq(t, want, string(body.Bytes))
		assert.Equal(t, "application/apply-patch+yaml", body.ContentType)
	}
}

// TestUnfit: an unsupported request is distinguished from a failure.
func TestUnfit(t *testing.T) {
	for want, ask := range map[string]func(client.Client) error{
		"have no protobuf": func(c client.Client) error {
			_, err := c.New(t.Context(), object(t, base), term.Protobuf)
			return err
		},
		"extracts nothing": func(c client.Client) error {
			_, err := c.ExtractApply(t.Context(), plan.Step{}, []byte(base))
			return err
		},
		"the body is no JSON object": func(c client.Client) error {
			_, err := c.Replace(t.Context(), plan.Step{}, []byte("<html>"))
			return err
		},
		"publishes no schema of the kind": func(c client.Client) error {
			_, err := c.Difference(t.Context(), setting(t, term.StrategicDiff, `{".spec.size":3}`), []byte(base))
			return err
		},
	} {
		err := ask(approximated(t))
		var unfit *client.UnfitError
		require.ErrorAs(t, err, &unfit, want)
		assert.ErrorContains(t, err, want)
	}
}

// strict are types as real ones are: they have a size, which they leave out
// when it is 0, and parts; extracting gives a fixed configuration.
type strict struct{ fails error }

type widget struct {
	Metadata map[string]any `json:"metadata,omitempty"`
	Spec     struct {
		Size  int              `json:"size,omitempty"`
		Parts []map[string]any `json:"parts"`
	} `json:"spec"`
}

func (s strict) Carry(_ context.Context, body []byte, _, to term.Encoding) ([]byte, error) {
	var w widget
	if err := json.Unmarshal(body, &w); err != nil {
		return nil, &client.UnfitError{Err: err}
	}
	raw, err := json.Marshal(w)
	if to == term.Protobuf {
		raw, err = (&runtime.Unknown{TypeMeta: runtime.TypeMeta{Kind: "Widget"}, Raw: []byte{8, 1}}).Marshal()
		raw = append([]byte("k8s\x00"), raw...)
	}
	return raw, errors.Join(err, s.fails)
}

func (strict) Diff(_ context.Context, before, after []byte, patch types.PatchType) ([]byte, error) {
	return json.Marshal(map[string]any{"before": json.RawMessage(before), "after": json.RawMessage(after), "patch": patch})
}

func (s strict) Apply(ctx context.Context, manifest []byte) ([]byte, error) {
	return s.Carry(ctx, manifest, term.JSON, term.JSON)
}

func (strict) Extract(_ context.Context, _ []byte, manager string) ([]byte, error) {
	return json.Marshal(map[string]any{"metadata": map[string]any{"name": manager}, "spec": map[string]any{"parts": []any{}}})
}

func knowsSize(p fieldpath.Path) bool { return !strings.Contains(p.String(), "later") }

func real() client.Client { return client.Client{Types: strict{}, Declares: knowsSize} }

// TestExpressible: a patch names what the types have a place for, with the
// values that they hold; an empty value that they would omit is written by hand.
func TestExpressible(t *testing.T) {
	for fields, want := range map[string]string{
		`{".spec.size":5,".spec.later":7}`:    `{"spec":{"size":5}}`,
		`{".spec.size":0}`:                    `{"spec":{"size":0}}`,
		`{".spec.size":null}`:                 `{"spec":{"size":null}}`,
		`{".spec.later":null}`:                `{}`,
		`{".spec":{"size":2,"later":3}}`:      `{"spec":{"size":2,"parts":null}}`,
		`{".spec.parts[name=\"q\"].size":11}`: `{"spec":{"parts":[{"name":"p","size":1},{"name":"q","size":11}]}}`,
	} {
		body, err := real().Patch(t.Context(), setting(t, term.MergePatch, fields), object(t, base))
		require.NoError(t, err, fields)
		assert.JSONEq(t, want, string(body.Bytes), fields)
	}
}

// TestDifference: both sides are what the client holds.
func TestDifference(t *testing.T) {
	for verb, patch := range map[term.Verb]string{
		term.MergeDiff: "application/merge-patch+json", term.StrategicDiff: "application/strategic-merge-patch+json",
	} {
		body, err := real().Difference(t.Context(), setting(t, verb, `{".spec.size":5}`), []byte(`{"spec":{"size":1,"later":2}}`))
		require.NoError(t, err)
		assert.Equal(t, patch, body.ContentType)
		assert.JSONEq(t, `{"before":{"spec":{"size":1,"parts":null}},"after":{"spec":{"size":5,"parts":null}},"patch":"`+patch+`"}`, string(body.Bytes))
	}
}

// TestDifferenceWithoutTypes: the server's own schema says how lists are merged.
func TestDifferenceWithoutTypes(t *testing.T) {
	merging := merging(t)
	require.NotNil(t, merging.Meta)
	assert.True(t, merging.Strategic)
	c := client.Client{Types: client.Untyped(merging)}
	for fields, want := range map[string]map[term.Verb]string{
		`{".spec.parts[name=\"q\"].size":5}`: {
			term.StrategicDiff: `{"spec":{"$setElementOrder/parts":[{"name":"p"},{"name":"q"}],"parts":[{"name":"q","size":5}]}}`,
			term.MergeDiff:     `{"spec":{"parts":[{"name":"p","size":1},{"name":"q","size":5}]}}`,
		},
		`{".spec.parts[name=\"p\"]":null,".spec.size":null}`: {
			term.StrategicDiff: `{"spec":{"$setElementOrder/parts":[{"name":"q"}],"parts":[{"$patch":"delete","name":"p"}],"size":null}}`,
			term.MergeDiff:     `{"spec":{"parts":[{"name":"q","size":2}],"size":null}}`,
		},
		`{".spec.size":1}`: {term.StrategicDiff: `{}`, term.MergeDiff: `{}`},
	} {
		for verb, patch := range want {
			body, err := c.Difference(t.Context(), setting(t, verb, fields), []byte(base))
			require.NoError(t, err, fields)
			assert.JSONEq(t, patch, string(body.Bytes), fields)
		}
	}
}

// merging is read from a document as servers publish them.
func merging(t testing.TB) client.Merging {
	t.Helper()
	document, err := os.ReadFile("testdata/widget.json")
	require.NoError(t, err)
	return client.ReadMerging(document, "example.dev/v1", "Widget")
}

func TestReadMerging(t *testing.T) {
	document, err := os.ReadFile("testdata/widget.json")
	require.NoError(t, err)
	only := client.ReadMerging(document, "example.dev/v1", "Custom")
	assert.NotNil(t, only.Meta, "a schema alone is enough to compute with")
	assert.False(t, only.Strategic, "but no operation takes it")
	for _, text := range []string{"", "{}", "[]", string(document)} {
		assert.Zero(t, client.ReadMerging([]byte(text), "example.dev/v1", "Gizmo"), text)
	}
}

func TestApplyVerbs(t *testing.T) {
	step := setting(t, term.Apply, `{".spec.size":9,".spec.later":1}`)
	body, err := real().Apply(t.Context(), step, object(t, `{"spec":{"size":1,"parts":[]}}`))
	require.NoError(t, err)
	assert.JSONEq(t, `{"spec":{"size":9,"parts":[]}}`, string(body.Bytes))
	step.Manager = "m"
	body, err = real().ExtractApply(t.Context(), step, []byte(`{}`))
	require.NoError(t, err)
	assert.JSONEq(t, `{"metadata":{"name":"m"},"spec":{"size":9,"parts":[]}}`, string(body.Bytes))
	assert.Equal(t, "application/apply-patch+yaml", body.ContentType)
}

func TestProtobuf(t *testing.T) {
	body, err := real().New(t.Context(), object(t, `{"spec":{"size":1,"later":2}}`), term.Protobuf)
	require.NoError(t, err)
	assert.Equal(t, "application/vnd.kubernetes.protobuf", body.ContentType)
	assert.True(t, client.IsProtobuf(body.Bytes))
	assert.JSONEq(t, `{"spec":{"size":1,"parts":null}}`, string(body.JSON), "what it means is kept beside it")
}

// TestPlainStatus: a refusal in protobuf reads as one in JSON.
func TestPlainStatus(t *testing.T) {
	was := &metav1.Status{Status: "Failure", Reason: "Conflict", Message: "m", Code: 409}
	raw, err := was.Marshal()
	require.NoError(t, err)
	envelope := func(kind string, raw []byte) []byte {
		packed, err := (&runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "v1", Kind: kind}, Raw: raw}).Marshal()
		require.NoError(t, err)
		return append([]byte("k8s\x00"), packed...)
	}
	got, text, err := client.PlainStatus(envelope("Status", raw))
	require.NoError(t, err)
	assert.Equal(t, metav1.StatusReasonConflict, got.Reason)
	assert.JSONEq(t, `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"m","reason":"Conflict","code":409}`, string(text))
	for want, body := range map[string][]byte{
		"a Widget, not a Status":    envelope("Widget", raw),
		"no protobuf of Kubernetes": []byte("{}"),
		"decode the envelope":       []byte("k8s\x00\xff"),
		"decode a Status":           envelope("Status", []byte{0xff}),
	} {
		_, _, err := client.PlainStatus(body)
		assert.ErrorContains(t, err, want)
	}
}

// TestClientSideApply follows kubectl: the file is kept in the annotation, what
// it no longer has goes, what others have set stays.
func TestClientSideApply(t *testing.T) {
	file := object(t, `{"apiVersion":"example.dev/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"size":1,"parts":[{"name":"p","size":1}]}}`)
	first, err := client.FirstApplied(file)
	require.NoError(t, err)
	created := object(t, string(first.Bytes))
	kept := created["metadata"].(map[string]any)["annotations"].(map[string]any)["kubectl.kubernetes.io/last-applied-configuration"]
	assert.Equal(t, `{"apiVersion":"example.dev/v1","kind":"Widget","metadata":{"annotations":{},"name":"w"},"spec":{"parts":[{"name":"p","size":1}],"size":1}}`+"\n", kept)

	live := created
	live["spec"] = object(t, `{"size":1,"other":true,"parts":[{"name":"p","size":1},{"name":"x"}]}`)
	step := setting(t, term.ClientSideApply, `{".spec.size":null,".spec.parts[name=\"p\"].size":2}`)
	for content, c := range map[string]struct {
		merging client.Merging
		spec    string
	}{
		"application/strategic-merge-patch+json": {merging(t), `{"size":null,"$setElementOrder/parts":[{"name":"p"}],"parts":[{"name":"p","size":2}]}`},
		"application/merge-patch+json":           {client.Merging{}, `{"size":null,"parts":[{"name":"p","size":2}]}`},
	} {
		body, err := client.Reapplied(step, file, []byte(asJSON(t, live)), c.merging)
		require.NoError(t, err)
		assert.Equal(t, content, body.ContentType)
		patch := object(t, string(body.Bytes))
		assert.JSONEq(t, c.spec, asJSON(t, patch["spec"]), content)
		assert.NotEmpty(t, patch["metadata"].(map[string]any)["annotations"], "the new file replaces the one that is kept")
	}
	delete(live["metadata"].(map[string]any), "annotations")
	body, err := client.Reapplied(step, file, []byte(asJSON(t, live)), merging(t))
	require.NoError(t, err)
	assert.NotContains(t, object(t, string(body.Bytes))["spec"], "size", "what was never applied is not taken away")
}

// TestMadeUp: for each content type, the known fields that the change needs, and one generated
// field.
func TestMadeUp(t *testing.T) {
	const fields = `{".spec.size":5,".spec.later":7}`
	for content, want := range map[string]string{
		"application/json":                       `{"spec":{"size":5,"parts":[]},"skewsimMadeUp":"x"}`,
		"application/apply-patch+yaml":           `{"spec":{"size":5,"parts":[]},"skewsimMadeUp":"x"}`,
		"application/merge-patch+json":           `{"spec":{"size":5},"skewsimMadeUp":"x"}`,
		"application/strategic-merge-patch+json": `{"spec":{"size":5},"skewsimMadeUp":"x"}`,
		"application/json-patch+json":            `[{"op":"add","path":"/spec/size","value":5},{"op":"add","path":"/skewsimMadeUp","value":"x"}]`,
	} {
		body, err := real().MadeUp(t.Context(), setting(t, term.Put, fields), content, object(t, `{"spec":{"parts":[]}}`), knowsSize)
		require.NoError(t, err, content)
		assert.JSONEq(t, want, string(body.Bytes), content)
		assert.Equal(t, content, body.ContentType)
	}
	given := plan.Step{Change: &plan.Change{Kind: plan.Body, Body: object(t, `{"spec":{"later":1}}`)}}
	body, err := real().MadeUp(t.Context(), given, "application/merge-patch+json", object(t, `{}`), knowsSize)
	require.NoError(t, err)
	assert.JSONEq(t, `{"skewsimMadeUp":"x"}`, string(body.Bytes), "what a given body needs nobody can tell")
}

// TestMadeUpTag: protobuf gets a field of a number that no message has, and
// what was there stays.
func TestMadeUpTag(t *testing.T) {
	body, err := real().MadeUp(t.Context(), plan.Step{}, client.ProtobufContent, object(t, `{"spec":{"parts":[]}}`), knowsSize)
	require.NoError(t, err)
	require.True(t, client.IsProtobuf(body.Bytes))
	var envelope runtime.Unknown
	require.NoError(t, envelope.Unmarshal(body.Bytes[4:]))
	assert.Equal(t, "Widget", envelope.Kind)
	assert.True(t, slices.Equal([]byte{8, 1, 0xf8, 0xff, 0xff, 0xff, 0xf, 1}, envelope.Raw), "%x", envelope.Raw)
	assert.NoError(t, new(metav1.Status).Unmarshal(envelope.Raw[2:]), "types skip it")
	assert.Contains(t, string(body.JSON), client.MadeUpField)
}

// TestProgramFails: a program that is gone is no reason to skip a step.
func TestProgramFails(t *testing.T) {
	gone := client.Client{Types: strict{errors.New("gone")}, Declares: knowsSize}
	_, err := gone.Replace(t.Context(), setting(t, term.Put, `{".spec.size":5}`), []byte(`{}`))
	var unfit *client.UnfitError
	assert.False(t, errors.As(err, &unfit))
	assert.ErrorContains(t, err, "gone")
}
