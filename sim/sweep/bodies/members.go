package bodies

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

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

// NamesChanged reports whether a server's words name an element of a list that an object has otherwise at a
// path.
func NamesChanged(message string, object map[string]any, at string, list []any) bool {
	held, err := path.Parse(at)
	if err != nil {
		return false
	}
	value, _ := path.Get(object, held)
	was, _ := value.([]any)
	for i, v := range list[:min(len(list), len(was))] {
		if fmt.Sprint(v) != fmt.Sprint(was[i]) && strings.Contains(message, fmt.Sprintf("%s[%d]", strings.TrimPrefix(at, "."), i)) {
			return true
		}
	}
	return false
}

// With returns an object with other values at paths; false: it has no place for one.
func With(object, fields map[string]any) (map[string]any, bool) {
	changed := runtime.DeepCopyJSON(object)
	for text, v := range fields {
		at, err := path.Parse(text)
		if err != nil || path.Set(changed, at, runtime.DeepCopyJSONValue(v)) != nil {
			return nil, false
		}
	}
	return changed, true
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
