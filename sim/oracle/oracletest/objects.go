package oracletest

import (
	"encoding/json"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
)

// Object is a JSON object.
type Object = map[string]any

// What copies are created with. Both releases publish all of it, except .spec.shine.
const (
	PlainSpec    = `{"colour": "red", "size": "1"}`
	ShineSpec    = `{"colour": "red", "shine": {"level": 3}}`
	LustreSpec   = `{"colour": "red", "lustre": 5}` // behind a gate
	TwoPartsSpec = `{"colour": "red", "parts": [{"name": "x", "count": 1}, {"name": "y", "count": 2}], "lustre": 5, "grain": "rough", "args": ["one", "two"], "finish": {"tone": "dark"}}`
	PartY        = `.spec.parts[name="y"]` // the path of its second part
)

// Path parses a path.
func Path(t testing.TB, text string) fieldpath.Path {
	t.Helper()
	p, err := path.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Number returns an integer of an object, 0 if it has none.
func Number(t testing.TB, o Object, at string) int {
	v, _ := path.Get(o, Path(t, at))
	switch v := v.(type) {
	case float64:
		return int(v)
	case int:
		return v
	}
	return 0
}

// Has reports whether an object has a path.
func Has(t testing.TB, o Object, at string) bool {
	_, ok := path.Get(o, Path(t, at))
	return ok
}

// Fill returns a default for a member of .spec.
func Fill(t testing.TB, name string, value any) func(Object) {
	return func(o Object) {
		if !Has(t, o, ".spec."+name) {
			With(".spec."+name, value)(t, o)
		}
	}
}

// Clone returns a deep copy.
func Clone(t testing.TB, o Object) Object {
	raw, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return Parse(t, string(raw))
}

// JSON returns a value as JSON.
func JSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// Spec is a widget with only these members of .spec.
func Spec(of Object) Object {
	return Object{"apiVersion": "example.dev/v1", "kind": "Widget", "spec": of}
}

// Parse decodes an object from JSON.
func Parse(t testing.TB, text string) Object {
	t.Helper()
	var o Object
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return o
}
