package path_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/scenarios/path"
)

const pod = `{
	"metadata": {"labels": {"app.kubernetes.io/name": "x"}, "finalizers": ["a", "b"]},
	"spec": {
		"replicas": 3, "ratio": 0.5, "none": null,
		"args": ["first", "second"],
		"matrix": [["a"], ["b", "c"]],
		"ports": [{"port": 80, "protocol": "TCP"}, {"port": 80, "protocol": "UDP", "name": "dns"}],
		"volumes": [{"name": "v", "emptyDir": {"mode": 448}}]
	}
}`

func object(t testing.TB, text string) map[string]any {
	t.Helper()
	var obj map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &obj))
	return obj
}

func TestGet(t *testing.T) {
	for p, want := range map[string]any{
		`.spec.replicas`: int64(3),
		`.spec.ratio`:    0.5,
		`.spec.none`:     nil,
		`.spec.args[1]`:  "second",
		`.spec.ports[port=80,protocol="UDP"].name`:   "dns",
		`.spec.ports[port=80.0,name="dns"].protocol`: "UDP",
		`.spec.ports[port=80,name=null].protocol`:    "TCP",
		`.spec.volumes[name="v"].emptyDir.mode`:      int64(448),
		`.metadata.finalizers[="b"]`:                 "b",
		`.metadata.labels["app.kubernetes.io/name"]`: "x",
	} {
		got, found := path.Get(object(t, pod), mustParse(t, p))
		assert.True(t, found, p)
		assert.Equal(t, want, got, p)
	}
	for _, p := range []string{
		`.spec.absent`, `.spec.none.x`, `.spec.args[2]`, `.spec.args[-1]`, `.spec.args.x`, `.spec[0]`,
		`.spec.ports[port="80"]`, `.spec.args[name="first"]`, `.metadata.finalizers[="c"]`, `.spec.ports[=1]`,
	} {
		_, found := path.Get(object(t, pod), mustParse(t, p))
		assert.False(t, found, p)
	}
}

func TestSet(t *testing.T) {
	for _, c := range []struct {
		p      string
		v      any
		before string
		after  string
	}{
		{`.a`, int64(1), `{}`, `{"a":1}`},
		{`.a`, nil, `{}`, `{"a":null}`},
		{`.a.b`, true, `{"a":null}`, `{"a":{"b":true}}`},
		{`.a.b["c/d"]`, "x", `{}`, `{"a":{"b":{"c/d":"x"}}}`},
		{`.l[0]`, "x", `{}`, `{"l":["x"]}`},
		{`.l[1]`, "x", `{"l":["a","b"]}`, `{"l":["a","x"]}`},
		{`.l[0][0].x`, "y", `{}`, `{"l":[[{"x":"y"}]]}`},
		{`.l[k="v"].x`, 0.5, `{}`, `{"l":[{"k":"v","x":0.5}]}`},
		{`.l[k="v"].x`, "y", `{"l":[{"k":"u"},{"k":"v"}]}`, `{"l":[{"k":"u"},{"k":"v","x":"y"}]}`},
		{`.l[k="v"]`, map[string]any{"x": "y"}, `{"l":[{"k":"v","z":1}]}`, `{"l":[{"k":"v","x":"y"}]}`},
		{`.l[k="v",n=null].x`, "y", `{}`, `{"l":[{"k":"v","x":"y"}]}`},
		{`.l[k="v"].k`, "w", `{"l":[{"k":"v"}]}`, `{"l":[{"k":"w"}]}`},
		{`.l[="x"]`, "x", `{"l":["a"]}`, `{"l":["a","x"]}`},
		{`.l[="x"]`, "x", `{"l":["x"]}`, `{"l":["x"]}`},
	} {
		obj := object(t, c.before)
		require.NoError(t, path.Set(obj, mustParse(t, c.p), c.v), c.p)
		assert.Equal(t, object(t, c.after), obj, c.p)
	}
}

// TestSetErrors also holds that a refused Set leaves the object as it was.
func TestSetErrors(t *testing.T) {
	for _, c := range []struct {
		p    string
		v    any
		want string
	}{
		{``, "x", `path "": the whole object cannot be set`},
		{`.a.b`, "x", `path ".a.b": ".a" is a string, not a map`},
		{`.a[0]`, "x", `path ".a[0]": ".a" is a string, not a list`},
		{`.m[0]`, "x", `path ".m[0]": ".m" is a map, not a list`},
		{`.l.x`, "x", `path ".l.x": ".l" is a list, not a map`},
		{`.l[3]`, "x", `path ".l[3]": index 3 of a list of 2`},
		{`.l[-1]`, "x", `path ".l[-1]": index -1 of a list of 2`},
		{`.l[k="v"]`, "x", `path ".l[k=\"v\"]": ".l[k=\"v\"]" is a string, not a map`},
		{`.l[k="v"]`, map[string]any{"k": "w"}, `path ".l[k=\"v\"]": the value has another key`},
		{`.new[k="v"].k`, "w", `path ".new[k=\"v\"]": the value has another key`},
		{`.l[="x"]`, "y", `path ".l[=\"x\"]": another value than the element's own`},
		{`.new.l[2].x`, "y", `path ".new.l[2]": index 2 of a list of 0`},
	} {
		const text = `{"a": "s", "m": {}, "l": ["a", {"k": "v"}]}`
		obj := object(t, text)
		assert.EqualError(t, path.Set(obj, mustParse(t, c.p), c.v), c.want)
		assert.Equal(t, object(t, text), obj, c.p)
	}
	assert.EqualError(t, path.Set(nil, mustParse(t, ".a"), "x"), `path ".a": there is no object`)
}

func TestSetSharesNoRoom(t *testing.T) {
	room := make([]any, 1, 2)
	room[0] = "a"
	obj := map[string]any{"l": room}
	require.NoError(t, path.Set(obj, mustParse(t, `.l[="b"]`), "b"))
	assert.Nil(t, room[:2][1], "the list's spare room belongs to whoever made it")
}

func TestRemove(t *testing.T) {
	for _, c := range []struct {
		p      string
		before string
		after  string
	}{
		{`.a`, `{"a":1,"b":2}`, `{"b":2}`},
		{`.a.b`, `{"a":{"b":null}}`, `{"a":{}}`},
		{`.l[0]`, `{"l":["a"]}`, `{"l":[]}`},
		{`.l[1][0]`, `{"l":[["a"],["b","c"]]}`, `{"l":[["a"],["c"]]}`},
		{`.l[k="v"]`, `{"l":[{"k":"v"},{"k":"w"},{"k":"v","x":1}]}`, `{"l":[{"k":"w"}]}`},
		{`.l[k="v"].k`, `{"l":[{"k":"v"}]}`, `{"l":[{}]}`},
		{`.l[k="v"].m[="x"]`, `{"l":[{"k":"v","m":["x","y","x"]}]}`, `{"l":[{"k":"v","m":["y"]}]}`},
	} {
		obj := object(t, c.before)
		assert.True(t, path.Remove(obj, mustParse(t, c.p)), c.p)
		assert.Equal(t, object(t, c.after), obj, c.p)
	}
	for _, p := range []string{``, `.absent`, `.spec.args[7]`, `.spec.args[-1]`, `.spec.replicas.x`, `.spec[0]`} {
		obj := object(t, pod)
		assert.False(t, path.Remove(obj, mustParse(t, p)), p)
		assert.Equal(t, object(t, pod), obj, p)
	}
}
