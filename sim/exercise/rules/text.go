package rules

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// stated is one rule as a release states it: its name, and its value as text.
type stated struct{ name, value string }

// tag is one tag of a chain such as +k8s:beta(since: "1.37")=+k8s:maxLength=63.
var tag = regexp.MustCompile(`\+?k8s:([A-Za-z]+)(\([^)]*\))?(?:=([^+\s][^\n;]*))?`)

// wrappers are the tags that say when or where another one holds.
var wrappers = []string{"alpha", "beta", "ifEnabled", "ifDisabled", "ifOptionEnabled", "ifOptionDisabled", "ifMode", "eachVal", "eachKey", "subfield", "item"}

// statements returns the rules in what two releases say, each once.
func (t Target) statements() (all []stated) {
	for _, text := range []string{t.Name, t.Old, t.New} {
		for _, m := range tag.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(wrappers, m[1]) {
				all = append(all, stated{m[1], unquoted(m[3])})
			}
		}
	}
	if name := strings.TrimPrefix(t.Name, "k8s:"); len(all) == 0 {
		all = append(all, stated{name, unquoted(t.Old)}, stated{name, unquoted(t.New)})
	}
	all = slices.DeleteFunc(all, func(s stated) bool { return s.name == "" })
	var once []stated
	for _, s := range all {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	return once
}

// unquoted returns a value of a tag without its quotes and without a remark.
func unquoted(text string) string {
	text, _, _ = strings.Cut(text, " #")
	text = strings.TrimSpace(text)
	if s, err := strconv.Unquote(text); err == nil {
		return s
	}
	return text
}

// inEach reports whether the rule is of the elements of a list or map, not of the field.
func (t Target) inEach() bool {
	return strings.Contains(t.Name+t.Old+t.New, "k8s:eachVal")
}

// ofChanges reports whether the rule is about changes of stored objects.
func (t Target) ofChanges() bool {
	return strings.Contains(t.Name+t.Old+t.New, "oldSelf") || slices.ContainsFunc(t.statements(), func(s stated) bool {
		return slices.Contains([]string{"immutable", "frozen", "update", "monotonic"}, s.name)
	})
}

// isUnionMember reports whether the rule says that the field is a member of a union.
func (t Target) isUnionMember() bool {
	return slices.ContainsFunc(t.statements(), func(s stated) bool {
		return s.name == "unionMember" || s.name == "zeroOrOneOfMember"
	})
}

// number returns the number that a rule states.
func (s stated) number() (int64, bool) {
	n, err := strconv.ParseFloat(s.value, 64)
	return int64(n), err == nil
}

// words returns the words of an enum: [a, b], or "a", "b".
func (s stated) words() []string {
	return strings.FieldsFunc(s.value, func(r rune) bool { return strings.ContainsRune(`[]{}"', |`, r) })
}
