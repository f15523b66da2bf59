package bodies

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestMember: one member of a struct, map or list of scalars changes, or another element of the list that
// the value is in; not what is no member of the value.
func TestMember(t *testing.T) {
	object := map[string]any{"spec": map[string]any{
		"union": map[string]any{"a": "x", "b": "y"}, "named": map[string]any{"a": "x"}, "none": map[string]any{}, "hosts": []any{"far-too-long"}, "ports": []any{int64(1), int64(2)},
		"bare":  []any{map[string]any{"note": "z"}, map[string]any{}},
		"nodes": []any{map[string]any{"id": "x"}, map[string]any{"id": "y", "note": "z"}}, "modes": []any{"y"},
		"word": "x", "users": []any{map[string]any{"id": "x"}},
	}}
	before := map[string]any{"spec": map[string]any{"none": map[string]any{"a": "x", "owner": "y"}, "hosts": []any{"short"}, "modes": []any{"y"}}}
	for at, want := range map[string]map[string]any{
		".spec.union":    {".spec.union.b": "ya"},
		".spec.named":    {".spec.named.a": "xa"},   // of what must be there, any value
		".spec.none":     {".spec.none.owner": "y"}, // a is what the rule requires
		".spec.hosts[0]": {".spec.hosts[1]": "short"},
		".spec.ports":    {".spec.ports[1]": int64(4)},
		".spec.word":     nil,
		".spec.users":    {".spec.users": []any{map[string]any{"id": "xa"}}},
		".spec.bare":     {".spec.bare": []any{map[string]any{"note": "za"}, map[string]any{}}},
		".spec.nodes":    {".spec.nodes": []any{map[string]any{"id": "x"}, map[string]any{"id": "y", "note": "za"}}},
		".spec.modes[0]": {".spec.modes[1]": "ya"}, // a set has no element twice
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

// TestMemberOfRule: what a rule names is no other member, since a change of it may satisfy the rule.
func TestMemberOfRule(t *testing.T) {
	object := map[string]any{"spec": map[string]any{"jobs": []any{map[string]any{"name": "x", "cpu": int64(100)}}, "max": int64(1), "min": int64(2), "minutes": int64(5)}}
	assert.Equal(t, map[string]any{".spec.minutes": int64(7)}, Member(object, nil, ".spec", "self.min <= self.max"))
	assert.Nil(t, Member(map[string]any{"spec": map[string]any{"min": int64(2)}}, nil, ".spec", "self.min < 2"))
	want := map[string]any{".spec.jobs": []any{map[string]any{"name": "xa", "cpu": int64(100)}}}
	assert.Equal(t, want, Member(object, nil, ".spec.jobs", "self.all(j, j.cpu < 100)"))
	assert.Equal(t, ".spec", Around(".spec.min", ".spec"))
	assert.Equal(t, ".spec.jobs[0]", Around(".spec.jobs[0].cpu", ".spec.jobs[]"))
	assert.Equal(t, ".spec.min", Around(".spec.min", ".spec.other"))
}

// TestNear: what is beside a value in a list or around it there changes, and nothing outside of the list.
func TestNear(t *testing.T) {
	rule := map[string]any{"name": "x", "retry": map[string]any{"attempts": int64(0)}}
	object := map[string]any{"spec": map[string]any{"rules": []any{rule}, "owner": "x", "modes": []any{"x"}, "retry": map[string]any{"attempts": int64(0)}}}
	assert.Equal(t, map[string]any{".spec.rules[0].name": "xa"}, Near(object, ".spec.rules[0].retry.attempts", ".spec.rules[0].retry.attempts"))
	assert.Nil(t, Near(object, ".spec.retry.attempts", ".spec.retry.attempts"))
	assert.Nil(t, Near(object, ".spec.modes[0]", ".spec.modes[0]"))
}

// TestIsChanged: the field that a server names is about the element that changed, or about the list and the others.
func TestIsChanged(t *testing.T) {
	object := map[string]any{"spec": map[string]any{"slots": []any{"a", "b"}}}
	changed := []any{"a", "c"}
	assert.True(t, IsChanged("spec.slots[1].name", object, ".spec.slots", changed))
	assert.False(t, IsChanged("spec.slots[0]", object, ".spec.slots", changed))
	assert.False(t, IsChanged("spec.slots", object, ".spec.slots", changed))
}
