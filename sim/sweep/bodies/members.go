package bodies

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep/fate"
)

// Member returns another value for one member of what an object holds at a path, by the member's path:
// of a struct, map or list, or of the list of scalars that a value is an element of. Before is the object
// with a value that a rule accepts: what the value lacks is added from there. What the rule's text names
// stays as it is, if the text is in CEL. None: only the value as a whole can change.
func Member(object, before map[string]any, at, rule string) map[string]any {
	held, err := path.Parse(at)
	if err != nil || len(held) == 0 {
		return nil
	}
	value, _ := path.Get(object, held)
	switch v := value.(type) {
	case map[string]any:
		other := otherIn(object, at, "", rule)
		if other == nil && !strings.Contains(rule, "self") { // a schema names what must be there, whatever its value
			other = Other(object, at, "")
		}
		if other != nil {
			return other
		}
		accepted, _ := path.Get(before, held)
		fields, _ := accepted.(map[string]any)
		return added(at, v, fields, rule)
	case []any:
		return inList(at, v, rule)
	}
	outer := fate.ParentOf(at)
	list, _ := path.Get(object, held[:len(held)-1])
	accepted, _ := path.Get(before, held[:len(held)-1])
	all, isList := list.([]any)
	if others, _ := accepted.([]any); isList && len(others) > 0 {
		return element(outer, others[len(others)-1], len(all), all)
	}
	return nil
}

// Around returns the path, in an object, of the field that a path in it is of, or is within: that path
// itself, if it is of another field.
func Around(held, field string) string {
	for at := held; at != ""; at = fate.ParentOf(at) {
		if fate.FieldOf(at) == field {
			return at
		}
		if fate.ParentOf(at) == at {
			break
		}
	}
	return held
}

// OtherInStatus returns another value for a field of an object's status or, where all that it has are
// lists and structs, of its first condition, as controllers change them.
func OtherInStatus(object map[string]any) map[string]any {
	const status = "." + term.StatusPart
	if other := Other(object, status, ""); other != nil {
		return other
	}
	written, _ := object[term.StatusPart].(map[string]any)
	conditions, _ := written["conditions"].([]any)
	if len(conditions) == 0 {
		return nil
	}
	first, _ := conditions[0].(map[string]any)
	kind, is := first["type"].(string)
	if !is {
		return nil
	}
	return Other(object, fmt.Sprintf("%s.conditions[type=%q]", status, kind), "")
}

// added returns a field that a struct or map lacks and another one has.
func added(at string, lacking, fields map[string]any, rule string) map[string]any {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		_, has := lacking[name]
		if !has && otherValue(fields[name]) != nil && !strings.ContainsAny(name, special) && !names(rule, name) {
			return map[string]any{at + "." + name: fields[name]}
		}
	}
	return nil
}

// names reports whether the text of a rule has a word.
func names(rule, word string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(word) + `\b`).MatchString(rule)
}

// inList returns a list with another element, the last one that can change: another scalar, or another field
// of a struct, not one by which lists know their elements as long as it has others.
func inList(at string, list []any, rule string) map[string]any {
	for i, v := range slices.Backward(list) {
		of, isStruct := v.(map[string]any)
		if !isStruct {
			return element(at, otherValue(v), i, list)
		}
		if changed := otherField(of, rule); changed != nil {
			all := slices.Clone(list)
			all[i] = changed
			return map[string]any{at: all}
		}
	}
	return nil
}

// otherField returns a struct with another value of one field that a rule does not name; nil: it has none.
func otherField(of map[string]any, rule string) map[string]any {
	fields := byStrictness(of)
	slices.SortStableFunc(fields, func(a, b string) int { return slices.Index(keys, a) - slices.Index(keys, b) })
	for _, name := range fields {
		if other := otherValue(of[name]); other != nil && !names(rule, name) {
			changed := runtime.DeepCopyJSON(of)
			changed[name] = other
			return changed
		}
	}
	return nil
}

// keys are fields by which lists know their elements.
var keys = []string{"id", "key", "kind", "name", "port", "type"}

// element returns a scalar at an index of the list at a path: another one, where the list has it already.
func element(at string, v any, i int, list []any) map[string]any {
	if slices.Contains(list, v) {
		v = otherValue(v)
	}
	if v == nil || otherValue(v) == nil {
		return nil
	}
	return map[string]any{fmt.Sprintf("%s[%d]", at, i): v}
}

// IsChanged reports whether a field that a server names is an element, or within one, of a list at a path, and
// the object has another element in its place.
func IsChanged(field string, object map[string]any, at string, list []any) bool {
	held, err := path.Parse(at)
	if err != nil {
		return false
	}
	value, _ := path.Get(object, held)
	was, _ := value.([]any)
	for i, v := range list[:min(len(list), len(was))] {
		if fmt.Sprint(v) != fmt.Sprint(was[i]) && fate.Within("."+field, fmt.Sprintf("%s[%d]", at, i)) {
			return true
		}
	}
	return false
}
