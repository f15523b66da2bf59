package sweep

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/skewsim/skewsim/scenarios/path"
)

// Around returns the path, in an object, of the field that a path in it is of, or is within: that path
// itself, if it is of another field. Of a whole object it is the member of the object that the path is in.
func Around(held, field string) string {
	at, err := path.Parse(held)
	if err != nil || len(at) == 0 {
		return held
	}
	if field == "" {
		return path.String(at[:1])
	}
	for i := range at {
		if Covers(field, at[:i+1]) {
			return path.String(at[:i+1])
		}
	}
	return held
}

// keys are fields by which lists know their elements.
var keys = []string{"id", "key", "kind", "name", "port", "type"}

// IsChanged reports whether a field that a server names is an element, or within one, of a list at a path, and
// the object has another element in its place.
func IsChanged(field string, object map[string]any, at string, list []any) bool {
	held, err := path.Parse(at)
	if err != nil {
		return false
	}
	there, _ := path.Get(object, held)
	was, _ := there.([]any)
	for i, v := range list[:min(len(list), len(was))] {
		if fmt.Sprint(v) != fmt.Sprint(was[i]) && Within("."+field, fmt.Sprintf("%s[%d]", at, i)) {
			return true
		}
	}
	return false
}

// WithValues returns an object with other values at paths; false: it has no place for one.
func WithValues(object, fields map[string]any) (map[string]any, bool) {
	changed := runtime.DeepCopyJSON(object)
	for text, v := range fields {
		at, err := path.Parse(text)
		if err != nil || path.Set(changed, at, runtime.DeepCopyJSONValue(v)) != nil {
			return nil, false
		}
	}
	return changed, true
}

// OtherPart returns, by its path, a part that the list or map lacks which holds what is at a path: an entry of
// a map, or an element of a set or of a list with keys. Nil: none can be made.
func OtherPart(object map[string]any, at string, keys []string) map[string]any {
	held, err := path.Parse(at)
	if err != nil || len(held) < 2 {
		return nil
	}
	outer := held[:len(held)-1]
	container, _ := path.Get(object, outer)
	own, _ := path.Get(object, held)
	switch parts := container.(type) {
	case map[string]any:
		name := "other"
		if _, has := parts[name]; has {
			return nil
		}
		return change(memberPath(outer, name), own)
	case []any:
		element, isStruct := own.(map[string]any)
		switch other := otherValue(own); {
		case other != nil && !slices.Contains(parts, other):
			v := value.NewValueInterface(other)
			return change(append(slices.Clone(outer), fieldpath.PathElement{Value: &v}), other)
		case isStruct && len(keys) > 0:
			return keyed(outer, runtime.DeepCopyJSON(element), keys)
		}
	}
	return nil
}

// keyed returns an element with another value of its first key that can have one.
func keyed(outer fieldpath.Path, element map[string]any, keys []string) map[string]any {
	i := slices.IndexFunc(keys, func(key string) bool { return otherValue(element[key]) != nil })
	if i < 0 {
		return nil
	}
	element[keys[i]] = otherValue(element[keys[i]])
	var by value.FieldList
	for _, key := range keys {
		by = append(by, value.Field{Name: key, Value: value.NewValueInterface(element[key])})
	}
	by.Sort()
	return change(append(slices.Clone(outer), fieldpath.PathElement{Key: &by}), element)
}

// change is another value at a path.
func change(at fieldpath.Path, v any) map[string]any {
	return map[string]any{path.String(at): runtime.DeepCopyJSONValue(v)}
}

// IsRefused reports whether a server's words name what a change is of, or a part of it.
func IsRefused(message string, fields map[string]any) bool {
	for text := range fields {
		for _, end := range []string{":", ".", "["} {
			if strings.Contains(message, strings.TrimPrefix(text, ".")+end) {
				return true
			}
		}
	}
	return false
}
