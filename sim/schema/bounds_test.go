package schema_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/schema"
)

// allocated is how many MiB a call took, garbage included.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) >> 20
}

// members are n members with the names a0, a1, ...
func members(n int, each string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"a%d":%s`, i, each)
	}
	return strings.TrimPrefix(b.String(), ",")
}

// TestDocumentsAreBounded: what is larger than anything a server publishes is
// refused before it is read.
func TestDocumentsAreBounded(t *testing.T) {
	for name, c := range map[string]struct{ document, want string }{
		"many bytes":   {strings.Repeat(" ", 16<<20+1), "openapi: the document has 16777217 bytes, and at most 16777216 are read"},
		"many members": {published(`"type":"object","properties":{` + members(200_000, "{}") + `}`), "openapi: the document has 200006 objects, and at most 200000 are read"},
		"deep":         {published(nested(10_000, `"properties":{"a":{`, ``, `}}`)), "openapi: the document is nested 20004 deep, and at most 2000 is read"},
		"deep lists":   {strings.Repeat("[", 1<<20), "openapi: the document is nested 1048576 deep, and at most 2000 is read"},
	} {
		documents := [][]byte{[]byte(c.document)}
		var s *schema.Schema
		var err error
		assert.Less(t, allocated(func() { s, err = schema.Parse(documents) }), uint64(1), "%s: MiB", name)
		assert.Nil(t, s, name)
		assert.EqualError(t, err, c.want, name)
	}
}

// TestBracketsInText do not count, however they are escaped.
func TestBracketsInText(t *testing.T) {
	text := `"description":"` + strings.Repeat(`{[\"\\`, 300_000) + `"`
	_, err := schema.Parse([][]byte{[]byte(published(text))})
	assert.NoError(t, err)
}

// TestManyMembers: a kind may have ten thousand.
func TestManyMembers(t *testing.T) {
	s, err := schema.Parse([][]byte{[]byte(published(`"type":"object","properties":{` + members(10_000, `{"type":"string"}`) + `}`))})
	require.NoError(t, err)
	k, _ := s.Kind(apiVersion, "Gadget")
	o := object(t, `{`+members(20_000, `"x"`)+`}`)
	use(t, k, o)
	assert.Len(t, k.Leaves(o), 20_000)
	_, dropped := k.Prune(o)
	assert.Len(t, dropped, 10_000)
}

// TestPathsAreBounded: a long name above many members is not repeated for each
// without an end; what is below is one leaf.
func TestPathsAreBounded(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	below := strings.TrimSuffix(strings.Repeat(`1,`, 100_000), ",")
	o := object(t, `{"spec":{"`+long+`":[`+below+`],"z":1}}`)
	for _, k := range []schema.Kind{{}, gadget(t)} {
		var leaves schema.Leaves
		assert.Less(t, allocated(func() { leaves = k.Leaves(o) }), uint64(64), "MiB")
		assert.Equal(t, []string{".spec." + long, ".spec.z"}, pathsOf(leaves))
	}
	deep := object(t, nested(100, `{"`+strings.Repeat("y", 10_000)+`":{"a":1},"b":`, `1`, `}`))
	assert.Less(t, allocated(func() { schema.Kind{}.Leaves(deep) }), uint64(64), "MiB")
	keyed := object(t, `{"spec":{"ports":[{"number":1,"protocol":"`+long+`","zz":[`+below+`]}]}}`)
	assert.Less(t, allocated(func() { gadget(t).Leaves(keyed) }), uint64(128), "MiB")
}
