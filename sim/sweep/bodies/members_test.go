package bodies

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestMember: one member of a struct, map or list of scalars changes, or another element of the list that
// the value is in; not what is no member of the value.
func TestMember(t *testing.T) {
	object := map[string]any{"spec": map[string]any{
		"union": map[string]any{"a": "x", "b": "y"}, "none": map[string]any{}, "hosts": []any{"far-too-long"}, "ports": []any{int64(1), int64(2)},
		"word": "x", "users": []any{map[string]any{"id": "x"}},
	}}
	before := map[string]any{"spec": map[string]any{"none": map[string]any{"a": "x", "owner": "y"}, "hosts": []any{"short"}}}
	for at, want := range map[string]map[string]any{
		".spec.union":    {".spec.union.a": "xa"},
		".spec.none":     {".spec.none.owner": "y"}, // a is what the rule requires
		".spec.hosts[0]": {".spec.hosts[1]": "shorta"},
		".spec.ports":    {".spec.ports[1]": int64(4)},
		".spec.word":     nil,
		".spec.users":    nil, // which field distinguishes its items is not known
		".spec":          {".spec.word": "xa"},
		"":               nil,
	} {
		assert.Equal(t, want, Member(object, before, at, `[{"required":["a"]}]`), at)
	}
	assert.Nil(t, Member(object, nil, ".spec.none", ""))
	assert.Nil(t, Member(object, nil, ".spec.hosts[0]", ""), "no element is known that a rule accepts")
}

// TestOtherInStatus: a condition changes where nothing else of a status can, and never its type.
func TestOtherInStatus(t *testing.T) {
	condition := map[string]any{"type": "Ready", "reason": "sample"}
	status := map[string]any{"conditions": []any{condition}, "phase": "sample"}
	object := map[string]any{"status": status}
	assert.Equal(t, map[string]any{".status.phase": "samplea"}, OtherInStatus(object))
	delete(status, "phase")
	assert.Equal(t, map[string]any{`.status.conditions[type="Ready"].reason`: "samplea"}, OtherInStatus(object))
	delete(condition, "reason")
	assert.Empty(t, OtherInStatus(object))
	assert.Empty(t, OtherInStatus(map[string]any{}))
}
