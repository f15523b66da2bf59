package objects

import (
	"testing"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestLocations(t *testing.T) {
	for text, want := range map[string]Location{
		"a.b":             {"a", "b"},
		"a.b[0].c":        {"a", "b", "0", "c"},
		"a.limits[x.y/z]": {"a", "limits", "x.y/z"},
		"a[0":             {"a", "[0"},
		"":                nil,
	} {
		assert.Equal(t, want, ParseLocation(text), text)
	}
	object := map[string]any{"a": map[string]any{"b": []any{"x", "y", "z"}}}
	assert.True(t, Drop(object, ParseLocation("a.b[1]")))
	assert.False(t, Drop(object, ParseLocation("a.b[2]")), "the list has closed up")
	assert.Equal(t, map[string]any{"a": map[string]any{"b": []any{"x", "z"}}}, object)
}

// TestRepair: what each refusal changes in an object, and what it leaves alone.
func TestRepair(t *testing.T) {
	const invalid, required, duplicate = metav1.CauseTypeFieldValueInvalid, metav1.CauseTypeFieldValueRequired, metav1.CauseTypeFieldValueDuplicate
	port := func(number int64) any { return map[string]any{"number": number} }
	for name, c := range map[string]struct {
		spec  map[string]any
		cause metav1.StatusCause
		want  func(spec map[string]any) bool
	}{
		"another of those offered": {
			map[string]any{"size": int64(5), "mode": "Odd"},
			metav1.StatusCause{Type: "FieldValueNotSupported", Field: "spec.mode", Message: `Unsupported value: "Odd": supported values: "Slow"`},
			func(spec map[string]any) bool { return spec["mode"] == "Slow" },
		},
		"made where it is missed": {
			map[string]any{"size": int64(5)}, metav1.StatusCause{Type: required, Field: "spec.mode", Message: "Required value"},
			func(spec map[string]any) bool { return spec["mode"] == "Fast" || spec["mode"] == "Slow" },
		},
		"dropped where it is there twice": {
			map[string]any{"size": int64(5), "ports": []any{port(1), port(2), port(3)}},
			metav1.StatusCause{Type: duplicate, Field: "spec.ports[1]", Message: "Duplicate value"},
			func(spec map[string]any) bool { return assert.ObjectsAreEqual([]any{port(1), port(3)}, spec["ports"]) },
		},
		"made anew": {
			map[string]any{"size": int64(5), "short": "-?"}, metav1.StatusCause{Type: invalid, Field: "spec.short", Message: `Invalid value: "-?": no`},
			func(spec map[string]any) bool { return spec["short"] != "-?" && spec["short"] != nil },
		},
		"found by its end": {
			map[string]any{"size": int64(5), "tree": map[string]any{"title": "-?"}},
			metav1.StatusCause{Type: invalid, Field: "spec.inner.tree.title", Message: "Invalid value: no"},
			func(spec map[string]any) bool { return spec["tree"].(map[string]any)["title"] != "-?" },
		},
		"found by its value": {
			map[string]any{"size": int64(5), "short": "-?"}, metav1.StatusCause{Type: invalid, Field: "spec.brief", Message: `Invalid value: "-?": no`},
			func(spec map[string]any) bool { return spec["short"] != "-?" },
		},
	} {
		d := draftOf(Request{Kind: gadget(t), Seed: 1, Number: 1})
		d.object = map[string]any{"apiVersion": "example.dev/v1", "kind": "Gadget", "spec": c.spec}
		assert.True(t, d.Repair(&metav1.Status{Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{c.cause}}}), name)
		got, _ := d.object["spec"].(map[string]any)
		assert.True(t, c.want(got), "%s: %v", name, got)
		assert.Equal(t, int64(5), got["size"], name)
	}
}

// TestRepairEnds: repairs end even if a server accepts nothing, and the object keeps its
// required members.
func TestRepairEnds(t *testing.T) {
	d := New(Request{Kind: gadget(t), Seed: 1, Number: 1})
	trials := 0
	for d.fix(nil) {
		trials++
		assert.Less(t, trials, 200)
	}
	assert.Contains(t, d.object["spec"], "size")
	assert.NotContains(t, d.object["spec"], "mode")
}
