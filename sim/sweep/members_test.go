package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// firstNeighbour returns the nearest change; nil: there is none.
func firstNeighbour(s Surroundings) map[string]any {
	if all := s.Neighbours(); len(all) > 0 {
		return all[0]
	}
	return nil
}

// TestRuleOfStruct: of a rule of a struct, map or list one member of it changes; of one element of a list of
// scalars another element.
func TestNeighboursOfStruct(t *testing.T) {
	object := map[string]any{"spec": map[string]any{
		"union": map[string]any{"a": "x", "b": "y"}, "named": map[string]any{"a": "x"}, "none": map[string]any{}, "hosts": []any{"far-too-long"}, "ports": []any{int64(1), int64(2)},
		"bare":  []any{map[string]any{"note": "z"}, map[string]any{}},
		"nodes": []any{map[string]any{"id": "x"}, map[string]any{"id": "y", "note": "z"}}, "modes": []any{"y"},
		"users": []any{map[string]any{"id": "x"}},
	}}
	plain := map[string]any{"spec": map[string]any{"none": map[string]any{"a": "x", "owner": "y"}, "hosts": []any{"short"}, "modes": []any{"y"}}}
	for at, want := range map[string]map[string]any{
		".spec.union":    {".spec.union.b": "ya"},
		".spec.named":    {".spec.named.a": "xa"},   // of what must be there, any value
		".spec.none":     {".spec.none.owner": "y"}, // a is what the rule requires
		".spec.hosts[0]": {".spec.hosts[1]": "short"},
		".spec.ports":    {".spec.ports[1]": int64(4)},
		".spec.users":    {".spec.users": []any{map[string]any{"id": "xa"}}},
		".spec.bare":     {".spec.bare": []any{map[string]any{"note": "za"}, map[string]any{}}},
		".spec.nodes":    {".spec.nodes": []any{map[string]any{"id": "x"}, map[string]any{"id": "y", "note": "za"}}},
		".spec.modes[0]": {".spec.modes[1]": "ya"}, // a set has no element twice
		"":               nil,
	} {
		assert.Equal(t, want, firstNeighbour(Surroundings{Object: object, Plain: plain, Held: at, Inside: true, Rule: `[{"required":["a"]}]`}), at)
	}
	assert.Nil(t, firstNeighbour(Surroundings{Object: object, Held: ".spec.hosts[0]", Inside: true}), "no element is known that a rule accepts")
}

// TestStatus: a condition changes where nothing else of a status can, and never its type.
func TestStatus(t *testing.T) {
	condition := map[string]any{"type": "Ready", "reason": "sample"}
	status := map[string]any{"conditions": []any{condition}, "phase": "sample"}
	of := Surroundings{Object: map[string]any{"status": status}, Held: ".status", Inside: true}
	assert.Equal(t, map[string]any{".status.phase": "samplea"}, firstNeighbour(of))
	delete(status, "phase")
	assert.Equal(t, map[string]any{`.status.conditions[type="Ready"].reason`: "samplea"}, firstNeighbour(of))
	delete(condition, "reason")
	assert.Empty(t, firstNeighbour(of))
	assert.Empty(t, firstNeighbour(Surroundings{Object: map[string]any{}, Held: ".status", Inside: true}))
}

// TestMemberOfRule: what a rule in CEL names is no other member, since a change of it may satisfy the rule.
func TestMemberOfRule(t *testing.T) {
	object := map[string]any{"spec": map[string]any{"jobs": []any{map[string]any{"name": "x", "cpu": int64(100)}}, "max": int64(1), "min": int64(2), "minutes": int64(5)}}
	of := func(held, rule string) Surroundings {
		return Surroundings{Object: object, Held: held, Inside: true, Rule: rule}
	}
	assert.Equal(t, map[string]any{".spec.minutes": int64(7)}, firstNeighbour(of(".spec", "self.min <= self.max")))
	want := map[string]any{".spec.jobs": []any{map[string]any{"name": "xa", "cpu": int64(100)}}}
	assert.Equal(t, want, firstNeighbour(of(".spec.jobs", "self.all(j, j.cpu < 100)")))
	object = map[string]any{"spec": map[string]any{"min": int64(2)}}
	assert.Nil(t, firstNeighbour(of(".spec", "self.min < 2")))
	assert.Equal(t, ".spec", Around(".spec.min", ".spec"))
	assert.Equal(t, ".spec.jobs[0]", Around(".spec.jobs[0].cpu", ".spec.jobs[]"))
	assert.Equal(t, ".spec.labels.x", Around(".spec.labels.x.y", ".spec.labels[]"), "an entry of a map")
	assert.Equal(t, ".spec", Around(".spec.min", ""))
	assert.Equal(t, ".spec.min", Around(".spec.min", ".spec.other"))
}

// TestNearest: what is beside a value changes, or what is around it in the list that holds it: a server
// compares whole lists. Nothing outside of the list does, nor beside the struct of a value that no list holds.
func TestNearest(t *testing.T) {
	rule := map[string]any{"name": "x", "retry": map[string]any{"attempts": int64(0)}}
	bare := map[string]any{"opts": map[string]any{}}
	object := map[string]any{"spec": map[string]any{
		"rules": []any{rule}, "owner": "x", "modes": []any{"x"}, "retry": map[string]any{"attempts": int64(0)}, "bare": []any{bare}, "opts": map[string]any{},
		"labels": map[string]any{"a": "x", "b": "y"}, "deep": []any{map[string]any{"opts": map[string]any{}, "match": map[string]any{"host": "x"}}},
	}}
	plain := map[string]any{"spec": map[string]any{"bare": []any{map[string]any{"opts": map[string]any{"name": "y"}}}}}
	for _, c := range []struct {
		held, without string
		want          map[string]any
	}{
		{".spec.rules[0].retry.attempts", "", map[string]any{".spec.rules[0].name": "xa"}},
		{".spec.rules[0].retry", "kind", map[string]any{".spec.rules[0].retry.attempts": int64(2)}},
		{".spec.bare[0].opts", "name", map[string]any{".spec.bare[1]": map[string]any{"opts": map[string]any{"name": "y"}}}},
		{".spec.deep[0].opts", "name", map[string]any{".spec.deep[0].match.host": "xa"}},
		{".spec.labels.a", "", map[string]any{".spec.labels.b": "ya"}},
		{".spec.retry.attempts", "", nil},
		{".spec.opts", "name", nil},
		{".spec.modes[0]", "", nil},
	} {
		assert.Equal(t, c.want, firstNeighbour(Surroundings{Object: object, Plain: plain, Held: c.held, Without: c.without}), c.held)
	}
}

// TestDiffering: a field that the releases treat differently is no neighbour, nor is one within it; that the
// value itself is within such a field is no reason.
func TestDiffering(t *testing.T) {
	object := map[string]any{"spec": map[string]any{
		"mode": "sample", "paused": true,
		"ingress": []any{map[string]any{"port": "x", "rules": map[string]any{"kafka": []any{map[string]any{"topic": "x"}}}}},
	}}
	of := Surroundings{Object: object, Held: ".spec", Without: "times", Differing: []string{".spec.times"}}
	assert.Equal(t, map[string]any{".spec.mode": "samplea"}, firstNeighbour(of))
	of.Differing = append(of.Differing, ".spec.mode")
	assert.Equal(t, map[string]any{".spec.paused": false}, firstNeighbour(of))
	of = Surroundings{Object: object, Held: ".spec.ingress[0].rules", Inside: true, Rule: `oneOf [{"required":["http"]}]`}
	assert.Equal(t, map[string]any{".spec.ingress[0].rules.kafka[0].topic": "xa"}, firstNeighbour(of))
	of.Differing = []string{".spec.ingress[].rules.kafka", ".spec.ingress[].rules"}
	assert.Equal(t, map[string]any{".spec.ingress[0].port": "xa"}, firstNeighbour(of))
	of.Differing = append(of.Differing, ".spec.ingress[].port")
	of.Plain = map[string]any{"spec": map[string]any{"ingress": []any{map[string]any{"port": "y"}, map[string]any{"note": "y"}}}}
	assert.Equal(t, map[string]any{".spec.ingress[1]": map[string]any{"note": "y"}}, firstNeighbour(of))
}

// TestOthers: of a text that names a number another number is a value like it, and so is what is published.
func TestOthers(t *testing.T) {
	of := Surroundings{Object: map[string]any{"spec": map[string]any{"a": "10s", "x": "y"}}, Held: ".spec.x"}
	of.Words = func(fieldpath.Path) []any { return []any{"10s", "word"} }
	var all []any
	for _, c := range of.Neighbours() {
		all = append(all, c[".spec.a"])
	}
	assert.Equal(t, []any{"10sa", "12s", "9s", "word"}, all)
}

// TestWith: a change is laid over an object, which stays; a server's words are about the change or not.
func TestWith(t *testing.T) {
	object := map[string]any{"spec": map[string]any{"slots": []any{"a"}}}
	changed, can := WithValues(object, map[string]any{".spec.slots[1]": "b"})
	assert.True(t, can)
	assert.Equal(t, map[string]any{"spec": map[string]any{"slots": []any{"a", "b"}}}, changed)
	_, can = WithValues(object, map[string]any{".spec.slots[3]": "b"})
	assert.False(t, can)
	assert.True(t, IsRefused(`spec.slots[1].name: Too long`, map[string]any{".spec.slots[1]": "b"}))
	assert.False(t, IsRefused(`spec.slots[0]: Too long`, map[string]any{".spec.slots[1]": "b"}))
	assert.True(t, IsPart(map[string]any{".spec.slots[1]": "b"}, ".spec.slots[0]"))
	assert.False(t, IsPart(map[string]any{".spec.other": "b"}, ".spec.slots[0]"))
}

// TestIsChanged: the field that a server names is about the element that changed, or about the list and the others.
func TestIsChanged(t *testing.T) {
	object := map[string]any{"spec": map[string]any{"slots": []any{"a", "b"}}}
	changed := []any{"a", "c"}
	assert.True(t, IsChanged("spec.slots[1].name", object, ".spec.slots", changed))
	assert.False(t, IsChanged("spec.slots[0]", object, ".spec.slots", changed))
	assert.False(t, IsChanged("spec.slots", object, ".spec.slots", changed))
}

// TestIsAround: a change of the whole list that holds the value is around it; one of another element, or of
// the value's member alone, is not.
func TestIsAround(t *testing.T) {
	for at, want := range map[string]bool{".spec.jobs": true, ".spec.jobs[0]": true, ".spec.jobs[0].cpu": true, ".spec.jobs[1]": false, ".spec.jobs[0].note": false, ".spec.note": false} {
		assert.Equal(t, want, IsAround(map[string]any{at: "x"}, ".spec.jobs[0].cpu"), at)
	}
	assert.False(t, IsAround(map[string]any{".spec": 1}, ""))
}

// TestFixedNeighbours: what a schema lets nobody change in place is not changed beside a value; the next field is.
func TestFixedNeighbours(t *testing.T) {
	s := Surroundings{Object: map[string]any{"spec": map[string]any{"l": []any{map[string]any{"name": "sample", "x": int64(9), "z": "sample"}}}}, Held: ".spec.l[0].x"}
	assert.Equal(t, map[string]any{".spec.l[0].name": "samplea"}, firstNeighbour(s))
	s.IsFixed = func(at fieldpath.Path) bool { return *at[len(at)-1].FieldName == "name" }
	assert.Equal(t, map[string]any{".spec.l[0].z": "samplea"}, firstNeighbour(s))
}
