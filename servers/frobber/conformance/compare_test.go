package conformance_test

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCompareCanFail gives answers that agree, and for each thing that is compared
// an answer in which only it is another.
func TestCompareCanFail(t *testing.T) {
	const frobberObject = `{"apiVersion":"frobbing.example.com/v6","kind":"Frobber","metadata":{"name":"a","uid":"u1","resourceVersion":"5","generation":2,
		"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"frobbing.example.com/v6","fieldsV1":
		{"f:spec":{"f:height":{},"f:param":{},"f:parts":{"k:{\"name\":\"x\"}":{".":{},"f:name":{},"f:size":{}}}}}}]},
		"spec":{"height":2,"param":"","replicas":1,"parts":[{"name":"x","size":3}]},"status":{"area":2}}`
	const kubeObject = `{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"a","uid":"u2","resourceVersion":"77","generation":2,
		"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"apps/v1","fieldsV1":
		{"f:spec":{"f:minReadySeconds":{},"f:selector":{},"f:template":{"f:spec":{"f:initContainers":{"k:{\"name\":\"x\"}":{".":{},"f:image":{},"f:name":{},"f:workingDir":{}}}}}}}}]},
		"spec":{"minReadySeconds":2,"replicas":1,"selector":{},"template":{"spec":{"initContainers":[{"name":"x","image":"i","workingDir":"3"}]}}},
		"status":{"replicas":0}}`
	read := func(s side, code int, warning, body string) outcome {
		p := &player{side: s, seen: map[string]*identity{}}
		return p.read(t, answer{code: code, warnings: []string{warning}, body: []byte(body)}, "a")
	}
	change := func(change func(object map[string]any)) string {
		var o map[string]any
		require.NoError(t, json.Unmarshal([]byte(frobberObject), &o))
		change(o)
		out, err := json.Marshal(o)
		require.NoError(t, err)
		return string(out)
	}
	kube := func() outcome {
		return read(asReplicaSet(), 200, `299 - "unknown field \"spec.minReadySeconds\""`, kubeObject)
	}
	assert.Empty(t, compare(read(asFrobber(), 200, `299 - "unknown field \"spec.height\""`, frobberObject), kube()))
	for name, wrong := range map[string]outcome{
		"the code":     read(asFrobber(), 201, `299 - "unknown field \"spec.height\""`, frobberObject),
		"the warnings": read(asFrobber(), 200, `299 - "unknown field \"spec.param\""`, frobberObject),
		"a value": read(asFrobber(), 200, `299 - "unknown field \"spec.height\""`, change(func(o map[string]any) {
			o["spec"].(map[string]any)["height"] = 3
		})),
		"an order or a member of the list": read(asFrobber(), 200, `299 - "unknown field \"spec.height\""`, change(func(o map[string]any) {
			o["spec"].(map[string]any)["parts"].([]any)[0].(map[string]any)["size"] = 4
		})),
		"a value that only one shows": read(asFrobber(), 200, `299 - "unknown field \"spec.height\""`, change(func(o map[string]any) {
			o["spec"].(map[string]any)["param"] = "p"
		})),
		"the generation": read(asFrobber(), 200, `299 - "unknown field \"spec.height\""`, change(func(o map[string]any) {
			o["metadata"].(map[string]any)["generation"] = 1
		})),
		"an owned field": read(asFrobber(), 200, `299 - "unknown field \"spec.height\""`, change(func(o map[string]any) {
			entry := o["metadata"].(map[string]any)["managedFields"].([]any)[0].(map[string]any)
			entry["fieldsV1"] = map[string]any{"f:spec": map[string]any{"f:height": map[string]any{}}}
		})),
		"an operation": read(asFrobber(), 200, `299 - "unknown field \"spec.height\""`, change(func(o map[string]any) {
			o["metadata"].(map[string]any)["managedFields"].([]any)[0].(map[string]any)["operation"] = "Update"
		})),
	} {
		assert.NotEmpty(t, compare(wrong, kube()), name)
	}
}

// TestMoved: a write that changes nothing leaves the resourceVersion alone.
func TestMoved(t *testing.T) {
	p := &player{side: asFrobber(), seen: map[string]*identity{}}
	version := func(uid, version string) map[string]any {
		return map[string]any{"uid": uid, "resourceVersion": version}
	}
	assert.True(t, p.know("a", version("1", "5")))
	assert.False(t, p.know("a", version("1", "5")))
	assert.True(t, p.know("a", version("1", "6")))
	assert.True(t, p.know("a", version("2", "6")), "another object")
	assert.Equal(t, map[string]*identity{"a": {"2", "6", "6"}}, maps.Clone(p.seen))
}
