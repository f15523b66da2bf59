package skewtest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestProblems: what no file could contain is an error of Run with its line of Go, and never
// a panic.
func TestProblems(t *testing.T) {
	for name, change := range map[string]func(s *ScenarioSpec){
		"an object added twice":           func(s *ScenarioSpec) { s.Object("gadget", Bystander(gadget(1))) },
		"an object with a path as name":   func(s *ScenarioSpec) { s.Object("a/../b", Bystander(gadget(1))) },
		"a nil form":                      func(s *ScenarioSpec) { s.Object("x", nil) },
		"a nil pointer as object":         func(s *ScenarioSpec) { s.Object("x", Treated((*metav1.PartialObjectMetadata)(nil))) },
		"a nil unstructured object":       func(s *ScenarioSpec) { s.Object("x", Treated((*unstructured.Unstructured)(nil))) },
		"a nil map":                       func(s *ScenarioSpec) { s.Object("x", Treated(map[string]any(nil))) },
		"a nil edit of the scenario":      func(s *ScenarioSpec) { s.Edit(nil) },
		"a nil edit of a line":            func(s *ScenarioSpec) { s.Touch("gadget").Edit(nil) },
		"a nil edit of an expectation":    func(s *ScenarioSpec) { s.Expect(Impact(CheckNothingLost).Edit(nil)) },
		"a nil expectation":               func(s *ScenarioSpec) { s.Expect(nil) },
		"a nil expectation beside others": func(s *ScenarioSpec) { s.Expect(Impact(CheckNothingLost), nil) },
		"a nil option of a line":          func(s *ScenarioSpec) { s.Touch("gadget", nil) },
		"nil lines that follow":           func(s *ScenarioSpec) { s.Touch("gadget").Then(nil) },
		"a nil line in lines that follow": func(s *ScenarioSpec) {
			s.Touch("gadget").Then(func(then *Lines) { then.Get("gadget", nil) })
		},
		"a count of 0":  func(s *ScenarioSpec) { s.Expect(Impact(CheckNothingLost).Count(0)) },
		"a count of -1": func(s *ScenarioSpec) { s.Expect(Impact(CheckNothingLost).Count(-1)) },
	} {
		s := myField()
		change(s)
		_, err := s.load("")
		if assert.Error(t, err, name) {
			assert.Regexp(t, `^problems_test.go:\d+: [^\n]+$`, err.Error(), name)
		}
	}
}

// TestNames: the error for a name is about the name, and not about a file.
func TestNames(t *testing.T) {
	for _, name := range []string{"", "My Field", "../x", "a/b", "a.b", strings.Repeat("a", 41)} {
		s := Scenario(name).Object("gadget", Bystander(gadget(1)))
		s.Create("gadget")
		_, err := s.load("")
		if assert.Error(t, err, name) {
			assert.Regexp(t, `^problems_test.go:\d+: [^\n]*\bname\b[^\n]*$`, err.Error())
			assert.NotContains(t, err.Error(), ".yaml")
		}
	}
}

// plain is an object of a module without the methods of runtime.Object.
type plain struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Size int64 `json:"size"`
	} `json:"spec"`
}

// TestPlainStructs: every Go value is an object whose JSON has apiVersion and kind.
func TestPlainStructs(t *testing.T) {
	o := plain{TypeMeta: metav1.TypeMeta{APIVersion: "example.dev/v1", Kind: "Gadget"}}
	o.Spec.Size = 1<<53 + 1
	for _, object := range []any{o, &o} {
		text, err := objectText(object)
		assert.NoError(t, err)
		assert.Equal(t, `{"apiVersion":"example.dev/v1","kind":"Gadget","metadata":{},"spec":{"size":9007199254740993}}`, string(text))
	}
	for key, object := range map[string]any{"apiVersion": plain{}, "kind": plain{TypeMeta: metav1.TypeMeta{APIVersion: "v1"}}} {
		_, err := objectText(object)
		assert.ErrorContains(t, err, "skewtest.plain has no "+key)
	}
}
