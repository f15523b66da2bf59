package sweep

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/objects/search"
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
	case is && strings.Contains(strings.ToLower(text), search.PlainWord):
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

// maxOthers is how many other values of one field are of interest.
const maxOthers = 6

// otherValues returns values like another one, the likeliest to be taken first; nil of what has members.
func otherValues(v any) []any {
	first := otherValue(v)
	switch v := v.(type) {
	case string:
		if i := number.FindAllStringIndex(v, -1); len(i) > 0 {
			last := i[len(i)-1]
			if n, err := strconv.Atoi(v[last[0]:last[1]]); err == nil {
				return []any{first, v[:last[0]] + strconv.Itoa(n+2) + v[last[1]:], v[:last[0]] + strconv.Itoa(max(n-1, 0)) + v[last[1]:]}
			}
		}
	case int64:
		return []any{first, max(v-1, 0)}
	}
	if first == nil {
		return nil
	}
	return []any{first}
}

// number finds the numbers in a text, such as in a duration, a quantity or an address.
var number = regexp.MustCompile(`[0-9]{1,9}`)

// IsZero reports whether a value is false or 0.
func IsZero(value any) bool { return value == false || fmt.Sprint(value) == "0" }
