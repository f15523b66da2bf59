package bodies

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/generate/aim"
	"github.com/skewsim/skewsim/sim/sweep/fate"
)

// Zero returns the zero of the number or boolean that an object holds at a path; nil: there is
// none, or it is zero itself.
func Zero(object map[string]any, at string) any {
	held, err := path.Parse(at)
	if err != nil {
		return nil
	}
	switch v, _ := path.Get(object, held); n := v.(type) {
	case bool:
		if n {
			return false
		}
	case int64, float64, int:
		if fmt.Sprint(n) != "0" {
			return int64(0)
		}
	}
	return nil
}

// Other returns another value for a field of the struct at a path, by the field's path: not for the
// one at except, nor for what is within or around it, nor for a key of the list that the struct is in,
// which would make it another item. None: the struct has no such field.
func Other(object map[string]any, outer, except string) map[string]any {
	return otherIn(object, outer, except, "")
}

// Near returns another value for a field beside the value at a path or, where it has no such field and
// a list holds it, beside what is around it in the list: a server may compare whole elements, and whole
// lists. Not for the field at except.
func Near(object map[string]any, at, except string) map[string]any {
	for outer := fate.ParentOf(at); ; outer = fate.ParentOf(outer) {
		if other := Other(object, outer, except); other != nil || !strings.Contains(outer, "[") {
			return other
		}
	}
}

// otherIn is Other without the fields that the text of a rule names.
func otherIn(object map[string]any, outer, except, rule string) map[string]any {
	held, err := path.Parse(outer)
	if err != nil || outer == "" {
		return nil
	}
	outerValue, _ := path.Get(object, held)
	fields, _ := outerValue.(map[string]any)
	for _, name := range byStrictness(fields) {
		at := outer + "." + name
		if other := otherValue(fields[name]); other != nil && !isKey(held, name) && !strings.ContainsAny(name, special) && !names(rule, name) && (except == "" || !fate.Overlap(at, except)) {
			return map[string]any{at: other}
		}
	}
	return nil
}

// byStrictness returns the names of fields, those first in whose place a server likely takes another value.
func byStrictness(fields map[string]any) []string {
	names := slices.Sorted(maps.Keys(fields))
	slices.SortStableFunc(names, func(a, b string) int { return strictness(a, fields[a]) - strictness(b, fields[b]) })
	return names
}

// special are the characters that a path has to quote.
const special = `./"'[] `

// isKey reports whether a path selects its struct, in a list, by the field of that name.
func isKey(held fieldpath.Path, name string) bool {
	last := held[len(held)-1]
	return last.Key != nil && slices.ContainsFunc(*last.Key, func(f value.Field) bool { return f.Name == name })
}

// strictness orders fields by how likely a server takes another value in their place: a word that
// objects are filled with may be any, another text may be one of a few, and of what the others mean
// none can change alone.
func strictness(name string, v any) int {
	text, is := v.(string)
	switch {
	case name == "kind" || name == "type" || name == "apiVersion":
		return 3
	case is && strings.Contains(strings.ToLower(text), aim.PlainWord):
		return 0
	case is:
		return 2
	}
	return 1
}

// otherValue returns a value like another one; nil of what has members.
func otherValue(v any) any {
	switch v := v.(type) {
	case string:
		return v + "a"
	case int64:
		return v + 2
	case float64:
		return v + 2
	case bool:
		return !v
	}
	return nil
}

// IsZero reports whether a value is false or 0.
func IsZero(value any) bool { return value == false || fmt.Sprint(value) == "0" }
