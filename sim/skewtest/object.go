package skewtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"
	"testing/fstest"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// Form is one form of an object, or another option of Object.
type Form func(s *ScenarioSpec, name string, o *scenarios.Object) error

// Treated is the form of an object that uses the change under test. The value is
//   - a typed object of any release, such as &corev1.Pod{...}, with its TypeMeta,
//   - an *unstructured.Unstructured or a map[string]any,
//   - a []byte that holds YAML or JSON, or
//   - a string: the name of a YAML or JSON file, relative to the test's directory.
func Treated(object any) Form {
	return func(s *ScenarioSpec, name string, o *scenarios.Object) (err error) {
		o.Treated, err = s.addObject(objectFile(name, treatedForm), object)
		return err
	}
}

// Bystander is the form of an object that does not use the change under test. Its value is
// like that of Treated.
func Bystander(object any) Form {
	return func(s *ScenarioSpec, name string, o *scenarios.Object) (err error) {
		o.Bystander, err = s.addObject(objectFile(name, bystanderForm), object)
		return err
	}
}

// Since limits the object to releases that can create it, such as ">= 1.37". The default is
// any release.
func Since(constraint string) Form {
	return func(_ *ScenarioSpec, _ string, o *scenarios.Object) error {
		o.Since = constraint
		return nil
	}
}

// Change gives the values that a touch sends when its line names that change ("sibling",
// "element" or "list"), by path; nil removes a field.
func Change(change string, values map[string]any) Form {
	return func(_ *ScenarioSpec, _ string, o *scenarios.Object) error {
		if o.Changes == nil {
			o.Changes = map[term.Change]map[string]any{}
		}
		o.Changes[term.Change(change)] = values
		return nil
	}
}

// Object adds an object with at least one of its forms. Lines refer to it by its name.
func (s *ScenarioSpec) Object(name string, forms ...Form) *ScenarioSpec {
	at := caller(0)
	o := s.model.Objects[name]
	for _, form := range forms {
		if err := form(s, name, &o); err != nil {
			s.errs = append(s.errs, fmt.Errorf("%s: scenario %s: object %q: %w", at, s.model.Name, name, err))
		}
	}
	if s.model.Objects == nil {
		s.model.Objects = map[string]scenarios.Object{}
	}
	if s.objectsAt == nil {
		s.objectsAt = map[string]position{}
	}
	s.model.Objects[name], s.objectsAt[name] = o, at
	return s
}

// The forms of an object, as names of files have them.
const (
	treatedForm   = "treated"
	bystanderForm = "bystander"
)

// objectFile returns the name of the file of an object's form.
func objectFile(object, form string) string {
	return path.Join("objects", object+"-"+form+".yaml")
}

// addObject adds the file of an object, and returns the file's name.
func (s *ScenarioSpec) addObject(file string, object any) (string, error) {
	text, err := objectText(object)
	if err != nil {
		return "", err
	}
	if s.objects == nil {
		s.objects = files{}
	}
	s.objects[file] = &fstest.MapFile{Data: text}
	return file, nil
}

// objectText returns an object as the text of a file.
func objectText(object any) ([]byte, error) {
	switch o := object.(type) {
	case nil:
		return nil, errors.New("nil is not an object")
	case []byte:
		return o, nil
	case string:
		if strings.ContainsAny(o, "\n{") {
			return nil, errors.New("a string is the name of a file: pass YAML text as []byte")
		}
		return os.ReadFile(o)
	case map[string]any:
		return json.Marshal(o)
	case interface{ UnstructuredContent() map[string]any }:
		return json.Marshal(o.UnstructuredContent())
	case runtime.Object:
		return typedText(o)
	}
	return nil, fmt.Errorf("%T is not an object: pass a typed or unstructured object, a map, or the name of a file", object)
}

// typedText returns a typed object without fields that only servers set, and that Go types
// always encode: an empty status and creationTimestamp.
func typedText(o runtime.Object) ([]byte, error) {
	if o.GetObjectKind().GroupVersionKind().Empty() {
		return nil, fmt.Errorf("%T: has no apiVersion and kind: set its TypeMeta", o)
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		return nil, fmt.Errorf("%T: %w", o, err)
	}
	prune(content)
	return json.Marshal(content)
}

// prune removes nulls, and an empty status.
func prune(content map[string]any) {
	if status, ok := content["status"].(map[string]any); ok {
		prune(status)
		if len(status) == 0 {
			delete(content, "status")
		}
	}
	for key, value := range content {
		switch v := value.(type) {
		case nil:
			delete(content, key)
		case map[string]any:
			prune(v)
		case []any:
			for _, item := range v {
				if m, ok := item.(map[string]any); ok {
					prune(m)
				}
			}
		}
	}
}
