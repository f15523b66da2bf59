package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/published"
)

// TestDottedName: a field whose name a path must quote is a field like any other.
func TestDottedName(t *testing.T) {
	for path, want := range map[string][2]string{
		`.spec.a`:         {".spec", "a"},
		`.spec.a[]`:       {".spec", "a"},
		`.spec.a[].b`:     {".spec.a[]", "b"},
		`.spec["a.b"]`:    {".spec", "a.b"},
		`.spec["a.b"][]`:  {".spec", "a.b"},
		`.spec["a.b"].c`:  {`.spec["a.b"]`, "c"},
		`.spec["a/b"]`:    {".spec", "a/b"},
		`.spec["a\"].b"]`: {".spec", `a"].b`},
		`.a`:              {"", "a"},
		``:                {"", ""},
	} {
		parent, field := CutField(path)
		assert.Equal(t, want, [2]string{parent, field}, path)
		assert.Equal(t, want[1], LastField(path), path)
	}
	o := Object{Target: Target{Without: "a.b"}, Specimen: try.Specimen{Held: ".spec", Object: map[string]any{"spec": map[string]any{"a.b": "x", "c": "y"}}}}
	assert.Equal(t, `.spec["a.b"]`, o.ValuePath())
	assert.Equal(t, map[string]any{"c": "y"}, o.Body()["spec"])
	o = Object{Specimen: try.Specimen{Held: ".status", Subresource: term.StatusPart, Object: map[string]any{"status": map[string]any{"a.b": "x"}}}}
	assert.Equal(t, map[string]any{`.status["a.b"]`: "x"}, o.partFields())
}

// TestConvertedFields: fields of versions are spelled as differences spell them.
func TestConvertedFields(t *testing.T) {
	const document = `{"openapi":"3.0.0","info":{"title":"t","version":"v1"},"paths":{},"components":{"schemas":{"com.example.v1.Widget":{"type":"object","properties":{
		"tags":{"type":"object","additionalProperties":{"type":"object","properties":{"color":{"type":"string"}}}},
		"parts":{"type":"array","items":{"type":"object","properties":{"a.b":{"type":"string"}}}}},
		"x-kubernetes-group-version-kind":[{"group":"example.com","version":"v1","kind":"Widget"}]}}}}`
	all, err := WithoutWebhook(published.Release{
		Documents: map[string][]byte{"example.com/v1": []byte(document)}, Resources: []published.Resource{{APIVersion: "example.com/v1", Kind: "Widget"}},
	})
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Equal(t, map[string]bool{".tags": true, ".tags[].color": true, ".parts": true, `.parts[]["a.b"]`: true}, all[0].Fields["v1"])
}
