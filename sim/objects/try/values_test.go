package try

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestAroundBounds: values are on both sides of a bound, and not empty alone.
func TestAroundBounds(t *testing.T) {
	type object = map[string]any
	for _, c := range []struct {
		name, value string
		base        any
		want        []any
	}{
		{"minLength", "3", "sample", []any{"", "sa", "sam"}},
		{"minItems", "2", []any{"a", "b", "c"}, []any{[]any{}, []any{"a"}, []any{"a", "b"}}},
		{"minItems", "2", []any{}, []any{[]any{}}},
		{"minProperties", "2", object{"a": "x", "b": "y"}, []any{object{}, object{"a": "x"}, object{"a": "x", "b": "y"}}},
		{"minProperties", "2", object{"a": "x"}, []any{object{}, object{"a": "x"}, object{"a": "x", "kb": "x"}}},
		{"maxProperties", "1", object{"a": "x"}, []any{object{"a": "x", "kb": "x"}}},
		{"maximum", "0.5", 0.3, []any{int64(-1), int64(0), int64(1), 0.5, 0.49, 0.51}},
		{"maximum", "5", int64(3), []any{int64(4), int64(5), int64(6)}},
	} {
		assert.Equal(t, c.want, stated{c.name, c.value}.values(c.base), "%s %s of %v", c.name, c.value, c.base)
	}
}

// TestMoreElements: further elements differ in what names them, and in a second list in whatever is no object.
func TestMoreElements(t *testing.T) {
	type object = map[string]any
	base := []any{object{"name": "a", "port": int64(80), "tls": object{"mode": "x"}}}
	assert.Equal(t, []any{
		base,
		append(base[:1:1], object{"name": "ab", "port": int64(80), "tls": object{"mode": "x"}}),
		append(base[:1:1], object{"name": "ab", "port": int64(81), "tls": object{"mode": "x"}}),
	}, stated{"maxItems", "1"}.values(base))
	assert.Equal(t, []any{[]any{"a"}, []any{"a", "ab"}}, stated{"maxItems", "1"}.values([]any{"a"}))
}
