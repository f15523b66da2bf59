package preflight

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/preflight/mask"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/published"
)

const document = `{"openapi":"3.0.0","info":{"title":"t","version":"v"},"paths":{},"components":{"schemas":{
"W":{"type":"object","x-kubernetes-group-version-kind":[{"group":"a.k8s.io","version":"v1","kind":"W"}],"properties":{
  "apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"allOf":[{"$ref":"#/components/schemas/M"}]},
  "spec":{"type":"object","properties":{
    "open":{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"known":{"type":"string"}}},
    "sizes":{"type":"object","additionalProperties":{"type":"object","properties":{"max":{"type":"integer"}}}},
    "list":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}}},
    "any":{}}}}},
"M":{"type":"object","properties":{"name":{"type":"string"},"labels":{"type":"object","additionalProperties":{"type":"string"}}}}}}}`

// TestFields: names that the schema declares stay in paths and messages, names of the user go.
func TestFields(t *testing.T) {
	f := mask.FieldsOf(published.Release{Documents: map[string][]byte{"a.k8s.io/v1": []byte(document)}})
	for path, want := range map[string]string{
		".spec.open.known":         ".spec.open.known",
		".spec.open.acmepassword":  ".spec.open",
		".spec.open.acme.password": ".spec.open",
		".spec.sizes.acme.max":     ".spec.sizes[].max",
		`.spec.sizes["acme"].max`:  ".spec.sizes[].max",
		".spec.sizes.acme.other":   ".spec.sizes[]",
		".spec.list[0].a":          ".spec.list[].a",
		".spec.list[3]":            ".spec.list[]",
		".spec.any.acme":           ".spec.any",
		".spec.other":              ".spec",
		".metadata.labels.acme":    ".metadata.labels",
		".metadata.name":           ".metadata.name",
	} {
		assert.Equal(t, want, f.Path("a.k8s.io/v1", "W", path), path)
	}
	assert.Equal(t, ".spec.open.acme", f.Path("b.k8s.io/v1", "W", ".spec.open.acme"), "nothing is published")
	assert.Equal(t, ".spec.open.acme", (*mask.Fields)(nil).Path("a.k8s.io/v1", "W", ".spec.open.acme"))

	s := Seen{Fields: f, Record: &reading.Record{APIVersion: "a.k8s.io/v1", Form: "a.k8s.io/v1", Kind: "W", Object: []byte(`{"spec":{"open":{"acmepassword":1,"known":"v"},"sizes":{"ac":{"max":1}},"list":[{"a":"b"}]}}`)}}
	r := Refusal(s, Up, reading.Try{Code: 422, Message: "spec.open.acmepassword and spec.sizes.ac.max of list: known acmepassword", Causes: []reading.Cause{{Field: "spec.sizes.ac.max"}}})
	assert.Equal(t, ".spec.sizes[].max", r.Path)
	assert.NotContains(t, r.Message, "acme")
	assert.NotContains(t, r.Message, "sizes.ac")
	assert.Contains(t, r.Message, "of list: known")
}
