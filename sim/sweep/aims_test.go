package sweep

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestBeyond: a value is beyond the other type if only the own type has it; of two types with
// the same values, neither has one.
func TestBeyond(t *testing.T) {
	for _, c := range []struct {
		own, other string
		want       any
	}{
		{"number", "integer", 1.5},
		{"number double", "integer int64", 1.5},
		{"integer", "number", nil},
		{"integer int64", "integer int32", int64(1) << 40},
		{"integer int32", "integer int64", nil},
		{"integer or string", "string", int64(8080)},
		{"integer or string", "integer int32", "50%"},
		{"string", "integer or string", nil},
		{"string", "object", nil},
		{"string", "string ipv4", "no such value"},
		{"string ipv4", "string", nil},
	} {
		assert.Equal(t, c.want, Beyond(c.own, c.other), "%s beside %s", c.own, c.other)
	}
}

// TestBeyondUndeclared: only a type that keeps what it does not declare has an undeclared member.
func TestBeyondUndeclared(t *testing.T) {
	const kept = "object, unknown fields kept"
	assert.NotNil(t, Beyond(kept, "object"))
	assert.NotNil(t, Beyond("object, any entries", "object"))
	assert.Nil(t, Beyond("object", kept))
	assert.Nil(t, Beyond(kept, "object, any entries"))
	assert.Nil(t, Beyond(kept, "list"))

	const any = "any, unknown fields kept"
	assert.NotNil(t, Beyond(any, "object"))
	for _, other := range []string{kept, "list", "map", "integer int32", "boolean"} {
		assert.Equal(t, "sample", Beyond(any, other), other)
		assert.Nil(t, Beyond(other, any), "%s beside any", other)
	}
	assert.Equal(t, int64(8080), Beyond(any, "string"))
	assert.Equal(t, true, Beyond(any, either))
	assert.Nil(t, Beyond(any, "any"))
	assert.Nil(t, Beyond("any", any))
}

// TestBeyondMap: entries of a map have one type, and members that an object does not declare have any: of a text, a number
// and a boolean no map has each, not even one of numbers or texts. A map has nothing that such an object has not.
func TestBeyondMap(t *testing.T) {
	for _, own := range []string{"object, unknown fields kept", "object, any entries"} {
		members, _ := Beyond(own, "map").(map[string]any)
		types := map[string]bool{}
		for _, v := range members {
			types[fmt.Sprintf("%T", v)] = true
		}
		assert.Equal(t, map[string]bool{"string": true, "int64": true, "bool": true}, types, own)
		assert.Nil(t, Beyond("map", own), own)
	}
	assert.Nil(t, Beyond("object", "map"))
	assert.Nil(t, Beyond("map", "map"))
}

// TestKeys: two elements differ in the keys that the other list does not have.
func TestKeys(t *testing.T) {
	differ, same := Keys("map by name, port", "map by name")
	assert.Equal(t, [][]string{{"port"}, {"name"}}, [][]string{differ, same})
	differ, same = Keys("map by name", "map by id")
	assert.Equal(t, [][]string{{"name"}, {"id"}}, [][]string{differ, same})
	differ, _ = Keys("map by name", "map by name, port")
	assert.Empty(t, differ)
	differ, same = Keys("set", "map by name")
	assert.Empty(t, append(differ, same...))
}

// TestNewKeys: a list that becomes a map, or gets another key, has new keys; one that loses a key has none.
func TestNewKeys(t *testing.T) {
	for _, c := range []struct {
		old, new string
		want     []string
	}{
		{"", "map by name", []string{"name"}}, {"atomic", "map by name, port", []string{"name", "port"}}, {"map by name", "map by name, port", []string{"port"}},
		{"map by name, port", "map by name", nil}, {"map by name", "atomic", nil}, {"atomic", "set", nil},
	} {
		assert.ElementsMatch(t, c.want, NewKeys(c.old, c.new), "%s to %s", c.old, c.new)
	}
}

// TestNeedsMore: a rule of changes, and of the elements of a list, needs more than its field.
func TestNeedsMore(t *testing.T) {
	assert.True(t, NeedsMore("!has(oldSelf.x) || has(self.x)", ".spec"))
	assert.True(t, NeedsMore("enum", ".spec.xs[].color"))
	assert.False(t, NeedsMore("enum", ".spec.color"))
	assert.True(t, NeedsMore(`oneOf[{"required":["a"]}]`, ".spec"))
	assert.False(t, NeedsMore("notEmpty", ".spec"))
	assert.True(t, NeedsMore("r!has(self.min) || self.min < 3", ".spec"))
	assert.True(t, NeedsMore("maxItems643", ".spec.xs"))
	assert.True(t, NeedsMore("maxProperties1", ".spec.x"), "a struct has too many members only with others of its own")
	assert.False(t, NeedsMore("minProperties1", ".spec.x"))
	assert.False(t, NeedsMore("self < 3self < 3", ".spec.min"))
}

// TestMemberOf: a rule of a whole object is tried on the member that it names.
func TestMemberOf(t *testing.T) {
	assert.Equal(t, ".spec", MemberOf("!has(oldSelf.spec.n) || self.spec.n == oldSelf.spec.n"))
	assert.Empty(t, MemberOf(`self.metadata.name.startsWith("z")`))
	assert.Equal(t, AtKind, AimAtRule(`self.metadata.name.startsWith("z")`, "").Spot)
	assert.Equal(t, AtPath, AimAtRule(`self.startsWith("z")`, ".spec.x").Spot)
}
