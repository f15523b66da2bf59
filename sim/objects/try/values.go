package try

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/sim/objects"
)

// texts are texts that some common formats accept and others refuse: labels, names of DNS,
// identifiers, paths, addresses, keys, times.
var texts = []string{"a", "1a", "Not_A_Label", "a..b", "-a-", "a/b", "a.example.com/b", "010.1.2.3", strings.Repeat("a", 64), strings.Repeat("a.", 130) + "a"}

// longest is the most characters or elements that a value on the far side of a bound has. A
// longer one says nothing else, and costs both servers much.
const longest = 4096

// mayRemove reports whether a rule can tell an absent field from one that has a value.
func (s stated) mayRemove() bool {
	return slices.Contains([]string{"required", "unionMember", "zeroOrOneOfMember", "minItems", "minLength", "minProperties", "forbidden"}, s.name)
}

// values returns values on each side of a rule, of the same type as a value that is valid.
func (s stated) values(base any) []any {
	switch base := base.(type) {
	case string:
		return s.texts(base)
	case int64, float64:
		if s.name == pattern { // of a number or a text: numbers match any
			return s.texts("")
		}
		return s.numbers(base)
	case bool:
		return []any{!base}
	case []any:
		return s.lists(base)
	case map[string]any:
		return s.maps(base)
	}
	return nil
}

// texts returns texts of a bounded length, of an enum, or of many formats.
func (s stated) texts(base string) (all []any) {
	switch s.name {
	case "minLength":
		all = append(all, "")
		if n, ok := s.number(); ok && n > 0 && n < longest {
			all = append(all, ofLength(base, int(n)-1), ofLength(base, int(n)))
		}
		return all
	case "required", "optional":
		return []any{""}
	case "maxLength", "maxBytes":
		if n, ok := s.number(); ok && n >= 0 && n < longest {
			for _, length := range []int{int(n), int(n) + 1} {
				all = append(all, strings.Repeat("a", length), ofLength(base, length))
			}
		}
		return all
	case "enum":
		all = append(all, "no-such-value", "")
		for _, word := range s.words() {
			all = append(all, word)
		}
		return all
	case "immutable", "frozen", "update", "monotonic", "unionMember", "zeroOrOneOfMember", "unionDiscriminator", "null refused":
		return nil
	}
	known := texts
	if s.name == pattern {
		known = append(objects.Matching(s.value), texts...)
	}
	for _, text := range known {
		if text != base {
			all = append(all, text)
		}
	}
	return all
}

// ofLength returns a text of a length that has the characters of another one.
func ofLength(text string, length int) string {
	if text == "" {
		return strings.Repeat("a", length)
	}
	characters := []rune(strings.Repeat(text, length/len([]rune(text))+1))
	return string(characters[:length])
}

// pattern is the name of a rule that a text must match a regular expression.
const pattern = "pattern"

// maxApart is how many texts are tried of those that only one of two patterns matches.
const maxApart = 3

// apart returns texts that one pattern matches and another one does not, in both directions: the shortest
// ones, and some as long as a valid text.
func apart(one, other []string, valid string) (all []any) {
	for _, t := range []objects.Texts{{Match: one, Miss: other}, {Match: other, Miss: one}} {
		if len(t.Miss) == 0 {
			continue // whatever it matches, no pattern refuses
		}
		for _, length := range []int{0, utf8.RuneCountInString(valid)} {
			t.MinLength = length
			for _, text := range t.Find(maxApart) {
				all = append(all, text)
			}
		}
	}
	return all
}

// patternsIn returns the patterns that a release states.
func (t RuleTarget) patternsIn(text string) (all []string) {
	if text == "" {
		return nil
	}
	for _, s := range (RuleTarget{Name: t.Name, New: text}).statements() {
		if s.name == pattern && s.value != "" {
			all = append(all, s.value)
		}
	}
	return all
}

// numbers returns the numbers around a bound, of an enum, or around zero.
func (s stated) numbers(base any) (all []any) {
	if s.name == "enum" {
		all = append(all, int64(-1))
		for _, word := range s.words() {
			if n, err := strconv.ParseInt(word, 10, 64); err == nil {
				all = append(all, n)
			}
		}
		return all
	}
	n, stated := s.number()
	if !stated {
		if s.name == "required" {
			return []any{int64(0)}
		}
		return []any{int64(0), int64(-1), int64(1) << 31}
	}
	for _, v := range []int64{n - 1, n, n + 1} {
		all = append(all, v)
	}
	if bound, err := strconv.ParseFloat(s.value, 64); err == nil && bound != float64(n) {
		all = append(all, bound, bound-0.01, bound+0.01)
	}
	return all
}

// lists returns lists around a bound, and with an element twice.
func (s stated) lists(base []any) []any {
	n, bounded := s.number()
	bounded = bounded && n >= 0 && n < longest && len(base) > 0
	switch {
	case s.name == "minItems" && bounded && n > 0:
		return append([]any{[]any{}}, ofSizes(base, int(n)-1, int(n))...)
	case s.name == "required" || s.name == "minItems":
		return []any{[]any{}}
	case s.name == "maxItems" && bounded:
		return ofSizes(base, int(n), int(n)+1)
	case slices.Contains([]string{"listType", "listMapKey", "unique", "customUnique", "uniqueItems"}, s.name) && len(base) > 0:
		return []any{append(slices.Clone(base), base[0])}
	}
	return nil
}

// ofSizes returns lists of some sizes. Elements that are objects differ in what names them and, in a second list
// of the size, in each text and number of theirs: a list may know them by any of these.
func ofSizes(base []any, sizes ...int) (all []any) {
	last, isObject := base[len(base)-1].(map[string]any)
	for _, n := range sizes {
		all = append(all, ofSize(base, n, func(i int) any { return another(base[len(base)-1], i) }))
		if isObject && n > len(base) {
			all = append(all, ofSize(base, n, func(i int) any { return anotherObject(last, i) }))
		}
	}
	return all
}

// anotherObject returns an object that differs from one in each of its texts and numbers.
func anotherObject(v map[string]any, i int) map[string]any {
	copied := runtime.DeepCopyJSON(v)
	for key, value := range copied {
		if _, isObject := value.(map[string]any); !isObject {
			copied[key] = another(value, i)
		}
	}
	return copied
}

// ofSize returns a list of n elements: of those of another one, with further ones.
func ofSize(base []any, n int, further func(i int) any) []any {
	all := make([]any, 0, n)
	for i := range n {
		if i < len(base) {
			all = append(all, base[i])
			continue
		}
		all = append(all, further(i))
	}
	return all
}

// another returns a value like the given one that differs from it in every short text.
func another(v any, i int) any {
	switch v := v.(type) {
	case string:
		return withNumber(v, i)
	case int64:
		return v + int64(i)
	case map[string]any:
		copied := runtime.DeepCopyJSON(v)
		for _, key := range []string{"name", "key", "id", "type", "device", "path", "ip", "uid", "request"} {
			if text, is := copied[key].(string); is {
				copied[key] = withNumber(text, i)
			}
		}
		return copied
	}
	return v
}

func withNumber(text string, i int) string {
	const digits = "abcdefghij"
	var suffix strings.Builder
	for ; i > 0; i /= 10 {
		suffix.WriteByte(digits[i%10])
	}
	return text + suffix.String()
}

// maps returns maps around a bound, and one without entries.
func (s stated) maps(base map[string]any) []any {
	n, bounded := s.number()
	bounded = bounded && n >= 0 && n < longest && len(base) > 0
	switch {
	case s.name == "minProperties" && bounded && n > 0:
		return []any{map[string]any{}, ofEntries(base, int(n)-1), ofEntries(base, int(n))}
	case s.name == "required" || s.name == "minProperties":
		return []any{map[string]any{}}
	case s.name == "maxProperties" && bounded:
		return []any{ofEntries(base, max(len(base), int(n)+1))}
	}
	return s.partsOf(base)
}

// ofEntries returns a map of n entries: of those of another one, with further ones like its first.
func ofEntries(base map[string]any, n int) map[string]any {
	entries := runtime.DeepCopyJSON(base)
	keys := slices.Sorted(maps.Keys(base))
	for i := 1; len(entries) < n; i++ {
		entries[withNumber("k", i)] = runtime.DeepCopyJSONValue(base[keys[0]])
	}
	for _, key := range keys[min(n, len(keys)):] {
		delete(entries, key)
	}
	return entries
}

// partsOf returns an object without each of its members, and without any, for a rule that says which
// members it has: alternatives of schemas, and rules in CEL.
func (s stated) partsOf(base map[string]any) (all []any) {
	if slices.Contains(tags, s.name) || len(base) == 0 {
		return nil
	}
	all = []any{map[string]any{}}
	for _, name := range slices.Sorted(maps.Keys(base)) {
		all = append(all, without(base, name))
	}
	return all
}

// withKeys returns maps with one more entry each: with some keys, and with those that some common formats
// accept and others refuse.
func withKeys(base map[string]any, keys ...string) (all []any) {
	if len(base) == 0 {
		return nil
	}
	last := base[slices.Min(slices.Collect(maps.Keys(base)))]
	for _, key := range slices.Concat(keys, []string{""}, texts) {
		if _, has := base[key]; has {
			continue
		}
		more := runtime.DeepCopyJSON(base)
		more[key] = runtime.DeepCopyJSONValue(last)
		all = append(all, more)
	}
	return all
}

// maxMoves is how many members of a stored value are changed, each by itself.
const maxMoves = 8

// moves returns values that a stored one may be changed to: a number in both directions, a list
// with an element more or less, an object with one member changed or gone.
func moves(base any) (all []any) {
	if v := altered(base); v != nil {
		all = append(all, v)
	}
	switch base := base.(type) {
	case int64:
		return append(all, base-1)
	case float64:
		return append(all, base-1)
	case []any:
		if len(base) > 0 {
			all = append(all, base[:len(base)-1:len(base)-1])
		}
	case map[string]any:
		names := slices.Sorted(maps.Keys(base))
		for _, name := range names[:min(len(names), maxMoves)] {
			all = append(all, without(base, name))
			inner := moves(base[name])
			for _, v := range inner[:min(len(inner), 3)] {
				changed := runtime.DeepCopyJSON(base)
				changed[name] = v
				all = append(all, changed)
			}
		}
	}
	return all
}

// without returns an object without one of its members.
func without(base map[string]any, name string) map[string]any {
	smaller := runtime.DeepCopyJSON(base)
	delete(smaller, name)
	return smaller
}

// altered returns a value that differs from a stored one and has its type and form.
func altered(base any) any {
	switch base := base.(type) {
	case string:
		if base == "" {
			return "a"
		}
		return base + "a"
	case int64:
		return base + 1
	case float64:
		return base + 1
	case bool:
		return !base
	case []any:
		if len(base) == 0 {
			return nil
		}
		return append(slices.Clone(base), another(base[len(base)-1], 1))
	case map[string]any:
		copied := runtime.DeepCopyJSON(base)
		for _, name := range slices.Sorted(maps.Keys(copied)) {
			if v := altered(copied[name]); v != nil {
				copied[name] = v
				return copied
			}
		}
	}
	return nil
}
