package conformance_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const frobberObject = `{"apiVersion":"frobbing.example.com/v6","kind":"Frobber","metadata":{"name":"a","uid":"u1","resourceVersion":"5","generation":2,
	"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"frobbing.example.com/v6","fieldsV1":
	{"f:spec":{"f:height":{},"f:param":{},"f:parts":{"k:{\"name\":\"x\"}":{".":{},"f:name":{},"f:size":{}}}}}}]},
	"spec":{"height":2,"param":"","replicas":1,"parts":[{"name":"x","size":3}]},"status":{"area":2}}`

const replicaSetObject = `{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"a","uid":"u2","resourceVersion":"77","generation":2,
	"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"apps/v1","fieldsV1":
	{"f:spec":{"f:minReadySeconds":{},"f:selector":{},"f:template":{"f:spec":{"f:initContainers":{"k:{\"name\":\"x\"}":{".":{},"f:image":{},"f:name":{},"f:workingDir":{}}}}}}}}]},
	"spec":{"minReadySeconds":2,"replicas":1,"selector":{},"template":{"spec":{"initContainers":[{"name":"x","image":"i","workingDir":"3"}]}}},
	"status":{"replicas":0}}`

// TestCompareCanFail gives answers that agree, and for each thing that is compared
// an answer in which only it is another.
func TestCompareCanFail(t *testing.T) {
	const warning = `299 - "unknown field \"spec.height\""`
	read := func(s side, code int, warning, body string) outcome {
		return newPlayer(nil, s, "").read(t, answer{code: code, warnings: []string{warning}, body: []byte(body)}, "a")
	}
	kube := func() outcome {
		return read(asReplicaSet(), 200, `299 - "unknown field \"spec.minReadySeconds\""`, replicaSetObject)
	}
	assert.Empty(t, compare(read(asFrobber(), 200, warning, frobberObject), kube()))
	assert.NotEmpty(t, compare(read(asFrobber(), 201, warning, frobberObject), kube()))
	assert.NotEmpty(t, compare(read(asFrobber(), 200, `299 - "unknown field \"spec.param\""`, frobberObject), kube()))
	for what, with := range map[string]string{
		`"height":2`: `"height":3`, `"size":3`: `"size":4`, `"param":""`: `"param":"p"`, `"replicas":1`: `"replicas":2`,
		`"generation":2`: `"generation":1`, `"f:height":{},`: ``, `,"f:size":{}`: ``, `"Apply"`: `"Update"`, `"manager":"m"`: `"manager":"n"`,
		`"name":"a"`: `"name":"b"`, `"kind":"Frobber"`: `"kind":"Other"`, `"uid":"u1",`: ``,
	} {
		changed := strings.Replace(frobberObject, what, with, 1)
		require.NotEqual(t, frobberObject, changed)
		assert.NotEmpty(t, compare(read(asFrobber(), 200, warning, changed), kube()), what)
	}
}

// TestMoved: a write that changes nothing leaves the resourceVersion alone; one that changes
// only the times of managed fields depends on the clock.
func TestMoved(t *testing.T) {
	p := &player{side: asFrobber(), seen: map[string]*identity{}}
	object := func(uid, version, second string) map[string]any {
		return map[string]any{"metadata": map[string]any{"uid": uid, "resourceVersion": version,
			"managedFields": []any{map[string]any{"manager": "m", "time": second}}}}
	}
	assert.True(t, p.know("a", object("1", "5", "1s")))
	assert.False(t, p.know("a", object("1", "5", "1s")))
	assert.True(t, p.know("a", object("1", "6", "1s")), "for nothing")
	assert.False(t, p.know("a", object("1", "7", "2s")), "for the time alone")
	changed := object("1", "8", "3s")
	changed["spec"] = map[string]any{"height": 1.0}
	assert.True(t, p.know("a", changed))
	assert.True(t, p.know("a", object("2", "8", "3s")), "another object")
	assert.Equal(t, "8", p.seen["a"].first)
}
