package bodies

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestOther: another value is for a plain field of the same struct, and never for the excepted one
// or for what is within it.
func TestOther(t *testing.T) {
	object := map[string]any{"spec": map[string]any{
		"inner": map[string]any{"x": "a", "note": "b"}, "n": int64(1), "list": []any{"a"},
	}}
	assert.Equal(t, map[string]any{".spec.inner.note": "ba"}, Other(object, ".spec.inner", ".spec.inner.x"))
	assert.Equal(t, map[string]any{".spec.n": int64(3)}, Other(object, ".spec", ".spec.inner"))
	assert.Empty(t, Other(object, ".spec", ".spec.n"))
	assert.Empty(t, Other(object, ".status", ""))
	few := map[string]any{"spec": map[string]any{"enum": "A", "word": "Sample-Word"}}
	assert.Equal(t, map[string]any{".spec.word": "Sample-Worda"}, Other(few, ".spec", ""), "a text that may be one of a few is the last resort")
	assert.Equal(t, map[string]any{".spec.enum": "Aa"}, Other(few, ".spec", ".spec.word"))
	assert.Equal(t, map[string]any{".spec.n": int64(3)}, Other(object, ".spec", ""))
}

// TestOtherInItem: a field beside a value in an item of a list is not a key that selects the item.
func TestOtherInItem(t *testing.T) {
	item := map[string]any{"id": "a", "note": "b", "role": "root"}
	object := map[string]any{"spec": map[string]any{"users": []any{item}}}
	const outer = `.spec.users[id="a"]`
	assert.Equal(t, map[string]any{outer + ".note": "ba"}, Other(object, outer, outer+".role"))
	delete(item, "note")
	assert.Empty(t, Other(object, outer, outer+".role"))
	assert.Equal(t, map[string]any{".spec.users[0].id": "aa"}, Other(object, ".spec.users[0]", ".spec.users[0].role"), "a list without keys")
}

// TestZero: only a number or boolean that is set has a zero.
func TestZero(t *testing.T) {
	object := map[string]any{"spec": map[string]any{"on": true, "off": false, "n": int64(2), "text": "a"}}
	assert.Equal(t, false, Zero(object, ".spec.on"))
	assert.Equal(t, int64(0), Zero(object, ".spec.n"))
	assert.Nil(t, Zero(object, ".spec.off"))
	assert.Nil(t, Zero(object, ".spec.text"))
}
