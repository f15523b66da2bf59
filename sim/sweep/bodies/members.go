package bodies

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep/fate"
)

// Member returns another value for one member of what an object holds at a path, by the member's path:
// of a struct or map, of a list of scalars, or of the list of scalars that a value is an element of.
// Before is the object with a value that a rule accepts: what the value lacks is added from there, unless
// the rule's text names it. None: only the value as a whole can change.
func Member(object, before map[string]any, at, rule string) map[string]any {
	held, err := path.Parse(at)
	if err != nil || len(held) == 0 {
		return nil
	}
	value, _ := path.Get(object, held)
	switch v := value.(type) {
	case map[string]any:
		if other := Other(object, at, ""); other != nil {
			return other
		}
		accepted, _ := path.Get(before, held)
		fields, _ := accepted.(map[string]any)
		return added(at, v, fields, rule)
	case []any:
		return element(at, v, len(v)-1)
	}
	outer := fate.ParentOf(at)
	list, _ := path.Get(object, held[:len(held)-1])
	accepted, _ := path.Get(before, held[:len(held)-1])
	all, isList := list.([]any)
	if others, _ := accepted.([]any); isList {
		return element(outer, others, len(all))
	}
	return nil
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
		if !has && otherValue(fields[name]) != nil && !strings.ContainsAny(name, special) && !strings.Contains(rule, name) {
			return map[string]any{at + "." + name: fields[name]}
		}
	}
	return nil
}

// element returns a value like the last scalar of a list, at an index of the list at a path.
func element(at string, like []any, i int) map[string]any {
	if len(like) == 0 {
		return nil
	}
	if other := otherValue(like[len(like)-1]); other != nil {
		return map[string]any{fmt.Sprintf("%s[%d]", at, i): other}
	}
	return nil
}
