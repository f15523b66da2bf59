package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/schema"
)

// TestNested: what a schema says of the elements of lists within lists and maps holds for them, as for those of a
// list alone.
func TestNested(t *testing.T) {
	const text = `{"openapi":"3.0.0","info":{"title":"t","version":"v1"},"paths":{},"components":{"schemas":{"com.example.v1.Widget":{"type":"object","properties":{
		"plain":{"type":"array","items":{"type":"string","nullable":true,"enum":["x",null]}},
		"lists":{"type":"array","items":{"type":"array","items":{"type":"string","nullable":true,"enum":["x",null]}}},
		"maps":{"type":"object","additionalProperties":{"type":"array","items":{"type":"string","nullable":true,"enum":["x",null]}}},
		"entries":{"type":"object","additionalProperties":{"type":"string","nullable":true,"enum":["x",null]}},
		"time":{"type":"string","format":"date-time"},"text":{"type":"string"},
		"times":{"type":"array","items":{"type":"array","items":{"type":"string","format":"date-time"}}}},
		"x-kubernetes-group-version-kind":[{"group":"example.com","version":"v1","kind":"Widget"}]}}}}`
	s, err := schema.Parse([][]byte{[]byte(text)})
	require.NoError(t, err)
	k, is := s.Kind("example.com/v1", "Widget")
	require.True(t, is)
	for _, at := range []string{".plain[0]", ".lists[0][0]", ".maps.a[0]", ".entries.a"} {
		p, err := path.Parse(at)
		require.NoError(t, err)
		assert.True(t, k.TakesNull(p), at)
		listed, in := k.ListsValue(p, "x")
		assert.True(t, listed && in, at)
		listed, in = k.ListsValue(p, "y")
		assert.True(t, listed && !in, at)
		p = p[:len(p)-1]
		listed, _ = k.ListsValue(p, "x")
		assert.False(t, k.TakesNull(p) || listed, at)
	}
	d := k.Compare(map[string]any{"time": "2017-01-02T03:04:05Z", "text": "2017-01-02T03:04:05Z"}, map[string]any{"time": "2017-01-02T03:04:05.000Z", "text": "2017-01-02T03:04:05.000Z"})
	assert.Equal(t, []string{".text"}, d.Changed, "a field that is no time has one spelling")
	d = k.Compare(map[string]any{"times": []any{[]any{"2017-01-02T03:04:05Z"}}}, map[string]any{"times": []any{[]any{"2017-01-02T03:04:05.000Z"}}})
	assert.Empty(t, d.Changed)
	one := k.Leaves(map[string]any{"times": []any{[]any{"2017-01-02T03:04:05Z"}}})[".times[0][0]"]
	assert.Equal(t, one.Semantic, k.Leaves(map[string]any{"times": []any{[]any{"2017-01-02T03:04:05.000Z"}}})[".times[0][0]"].Semantic)
}
