package skewtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"reflect"
	"strings"
	"testing/fstest"

	kjson "sigs.k8s.io/json"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
)

// Form is one form of an object, or another option of Object.
type Form func(s *ScenarioSpec, name string, o *scenarios.Object) error

// Treated is the form of an object that uses the change under test. The value is
//   - a typed object of any release, such as &corev1.Pod{...}, with its TypeMeta, or another
//     Go value whose JSON is an object with apiVersion and kind,
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
	fail := func(err error) {
		s.errs = append(s.errs, fmt.Errorf("%s: scenario %s: object %q: %w", at, s.model.Name, name, err))
	}
	if first, added := s.objectsAt[name]; added {
		fail(fmt.Errorf("%s adds it already: pass all its forms to one call of Object", first))
		return s
	}
	if why := load.BadName(name); why != "" {
		fail(errors.New(why))
		return s
	}
	o := s.model.Objects[name]
	for i, form := range forms {
		err := fmt.Errorf("form %d is nil: pass Treated, Bystander, Since or Change", i+1)
		if form != nil {
			err = form(s, name, &o)
		}
		if err != nil {
			fail(err)
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
	if v := reflect.ValueOf(object); !v.IsValid() || (v.Kind() == reflect.Pointer || v.Kind() == reflect.Map) && v.IsNil() {
		return nil, errors.New("nil is not an object")
	}
	switch o := object.(type) {
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
	}
	return typedText(object)
}

// typedText returns a typed object without fields that only servers set, and that Go types
// always encode: an empty status and creationTimestamp.
func typedText(object any) ([]byte, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("%T: %w", object, err)
	}
	var content map[string]any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(text, &content); err != nil || content == nil {
		return nil, fmt.Errorf("%T is not an object: pass a typed or unstructured object, a struct or map with apiVersion and kind, YAML as []byte, or the name of a file", object)
	}
	for _, key := range []string{"apiVersion", "kind"} {
		if value, _ := content[key].(string); value == "" {
			return nil, fmt.Errorf("%T has no %s: set its TypeMeta, or add fields with the JSON keys apiVersion and kind", object, key)
		}
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
