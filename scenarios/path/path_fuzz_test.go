package path_test

import (
	stdjson "encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
)

// FuzzParse holds that every text is refused with its position, or is a path
// that prints to a text of the same meaning.
func FuzzParse(f *testing.F) {
	for text := range spelled {
		f.Add(text)
		f.Add(text + "[")
	}
	for _, text := range []string{`.a[b=1,"b"=2]`, `.a[=-0]`, `.a[=1e999]`, `.a[=0x1p-2]`, `.a[99999999999999999999]`, `.a["\xff"]`, ".a[\"\n\"]",
		`.a['x']`, ".a[`x`]", `[=9223372036854775808]`, `[k=-9223372036854775808]`, strings.Repeat(".a", 10001), strings.Repeat("[0]", 10000)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := path.Parse(text)
		if err != nil {
			assert.Nil(t, p)
			assert.ErrorContains(t, err, "position ")
			return
		}
		canonical := path.String(p)
		again, err := path.Parse(canonical)
		require.NoError(t, err, "%s prints %s", text, canonical)
		assert.True(t, p.Equals(again), "%s prints %s", text, canonical)
		assert.Equal(t, canonical, path.String(again))
		assert.True(t, path.Contains(p, p))
		if last := len(p) - 1; last >= 0 {
			assert.Equal(t, canonical, path.Below(path.String(p[:last]), p[last]))
		}
	})
}

// FuzzObject holds what Get, Set and Remove promise of any object and path:
// what is set is there, what is removed is not, and what fails changes nothing.
func FuzzObject(f *testing.F) {
	for _, at := range []string{
		`.spec.replicas`, `.spec.volumes[name="v"].emptyDir.mode`, `.spec.volumes[name="w"].emptyDir.mode`, `.spec.ports[port=80,protocol="UDP"]`,
		`.spec.args[2]`, `.spec.args[99]`, `.spec.args[-1]`, `.spec.matrix[1][0]`, `.metadata.finalizers[="a"]`, `.metadata.finalizers[="c"]`,
		`.spec.none.deeper`, `.spec.replicas.deeper`, `.spec[0]`, `[""]`, `.spec.volumes[name="v"].name`, `.spec.l[k=null].x`, ``,
	} {
		f.Add([]byte(pod), at, []byte(`{"name":"v"}`))
		f.Add([]byte(pod), at, []byte(`null`))
	}
	f.Add([]byte(`{"l":[{"k":1},{"k":1.0},[],null]}`), `.l[k=1].k`, []byte(`2`))
	f.Add([]byte(`{"l":`+strings.Repeat("[", 500)+strings.Repeat("]", 500)+`}`), `.l[0][0][0][0]`, []byte(`1`))
	f.Fuzz(func(t *testing.T, content []byte, at string, raw []byte) {
		var obj map[string]any
		var v any
		p, err := path.Parse(at)
		if err != nil || json.Unmarshal(content, &obj) != nil || json.Unmarshal(raw, &v) != nil {
			return
		}
		before := text(t, obj)
		path.Get(obj, p)
		require.Equal(t, before, text(t, obj), "Get changes nothing")
		if err := path.Set(obj, p, v); err != nil {
			require.Equal(t, before, text(t, obj), "what fails changes nothing")
		} else if plainPath(p) {
			got, found := path.Get(obj, p)
			assert.True(t, found)
			assert.Equal(t, text(t, v), text(t, got))
		}
		_, there := path.Get(obj, p)
		assert.Equal(t, there && len(p) > 0, path.Remove(obj, p), "Remove reports whether there was a value")
		if last := len(p) - 1; last >= 0 && p[last].Index == nil { // what is behind an index moves up
			_, there = path.Get(obj, p)
			assert.False(t, there)
		}
	})
}

// plainPath reports whether setting the value cannot change what the path selects by: a field
// of an element can be its key.
func plainPath(p fieldpath.Path) bool {
	for _, e := range p {
		if e.Key != nil || e.Value != nil {
			return false
		}
	}
	return true
}

func text(t *testing.T, v any) string {
	t.Helper()
	raw, err := stdjson.Marshal(v)
	require.NoError(t, err)
	return string(raw)
}
