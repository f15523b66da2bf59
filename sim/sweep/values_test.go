package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestBeside: another value is for a plain field of the same struct, and never for the value itself.
func TestBesideBody(t *testing.T) {
	object := map[string]any{"spec": map[string]any{
		"inner": map[string]any{"x": "a", "note": "b"}, "n": int64(1), "list": []any{"a"},
	}}
	beside := func(held string) map[string]any { return firstNeighbour(Surroundings{Object: object, Held: held}) }
	assert.Equal(t, map[string]any{".spec.inner.note": "ba"}, beside(".spec.inner.x"))
	assert.Equal(t, map[string]any{".spec.n": int64(3)}, beside(".spec.inner"))
	assert.Equal(t, map[string]any{".spec.inner.note": "ba"}, beside(".spec.n"), "no other member has one value")
	assert.Empty(t, beside(".status.x"))
	object = map[string]any{"spec": map[string]any{"enum": "A", "word": "Sample-Word", "x": "y"}}
	assert.Equal(t, map[string]any{".spec.word": "Sample-Worda"}, beside(".spec.x"), "a text that may be one of a few is the last resort")
	assert.Equal(t, map[string]any{".spec.enum": "Aa"}, beside(".spec.word"))
}

// TestBesideInItem: a field beside a value in an item of a list is not a key that selects the item.
func TestBesideInItem(t *testing.T) {
	item := map[string]any{"id": "a", "note": "b", "role": "root"}
	object := map[string]any{"spec": map[string]any{"users": []any{item}}}
	const outer = `.spec.users[id="a"]`
	beside := func(held string) map[string]any { return firstNeighbour(Surroundings{Object: object, Held: held}) }
	assert.Equal(t, map[string]any{outer + ".note": "ba"}, beside(outer+".role"))
	delete(item, "note")
	assert.Empty(t, beside(outer+".role"))
	assert.Equal(t, map[string]any{".spec.users[0].id": "aa"}, beside(".spec.users[0].role"), "a list without keys")
}

// TestZero: only a number or boolean that is set has a zero.
func TestZeroValues(t *testing.T) {
	object := map[string]any{"spec": map[string]any{"on": true, "off": false, "n": int64(2), "text": "a"}}
	assert.Equal(t, false, Zero(object, ".spec.on"))
	assert.Equal(t, int64(0), Zero(object, ".spec.n"))
	assert.Nil(t, Zero(object, ".spec.off"))
	assert.Nil(t, Zero(object, ".spec.text"))
}
