package try

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

// spelled is one rule as package source spells it: eachVal: maxLength=63.
var spelled = regexp.MustCompile(`^(?:[A-Za-z]+(?:\([^)]*\))?: )*([A-Za-z]+)(?:\([^)]*\))?(?:=(.*))?$`)

// wrappers are the tags that say when or where another one holds.
var wrappers = []string{"alpha", "beta", "ifEnabled", "ifDisabled", "ifOptionEnabled", "ifOptionDisabled", "ifMode", "eachVal", "eachKey", "subfield", "item"}

// tags are the rules that a text may spell without the prefix of tags.
var tags = []string{
	"customUnique", "dependentRequired", "enum", "forbidden", "format", "frozen", "immutable", "listMapKey", "listType", "maxBytes", "maxItems", "maxLength", "maxProperties",
	"maximum", "minItems", "minLength", "minProperties", "minimum", "monotonic", "neq", "optional", "required", "unionDiscriminator", "unionMember", "unique", "update", "zeroOrOneOfMember",
}

// statements returns the rules in what two releases say, each once. A text that spells no rule
// is the value of the rule that the difference names.
func (t RuleTarget) statements() (all []stated) {
	name := strings.TrimPrefix(t.Name, "k8s:")
	for _, text := range []string{t.Old, t.New} {
		rules := statedIn(text)
		switch {
		case text == "":
		case t.Name == pattern: // whatever it looks like
			rules = []stated{{name, text}}
		case len(rules) == 0:
			rules = []stated{{name, unquoted(text)}}
		}
		all = append(all, rules...)
	}
	if len(all) == 0 {
		all = statedIn(t.Name)
	}
	if len(all) == 0 && name != "" {
		all = []stated{{name: name}}
	}
	var once []stated
	for _, s := range all {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	return once
}

// statedIn returns the rules that a text spells, one a line.
func statedIn(text string) (all []stated) {
	for _, m := range tag.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(wrappers, m[1]) {
			all = append(all, stated{m[1], unquoted(m[3])})
		}
	}
	if len(all) > 0 {
		return all
	}
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		if m := spelled.FindStringSubmatch(strings.TrimSpace(line)); m != nil && slices.Contains(tags, m[1]) {
			all = append(all, stated{m[1], unquoted(m[2])})
		}
	}
	return all
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
func (t RuleTarget) inEach() bool {
	return strings.Contains(t.Name+t.Old+t.New, "eachVal")
}

// ofKeys reports whether the rule is of the keys of a map.
func (t RuleTarget) ofKeys() bool {
	return strings.Contains(t.Name+t.Old+t.New, "eachKey")
}

// subfield is the member of the field that a rule is of, if it is not of the field itself.
var subfield = regexp.MustCompile(`subfield\(([A-Za-z0-9]+)\)`)

// member returns the member of the field that the rule is of; "": it is of the field.
func (t RuleTarget) member() string {
	if m := subfield.FindStringSubmatch(t.Name + "\n" + t.Old + "\n" + t.New); m != nil {
		return m[1]
	}
	return ""
}

// ofChanges reports whether the rule is about changes of stored objects.
func (t RuleTarget) ofChanges() bool {
	return strings.Contains(t.Name+t.Old+t.New, "oldSelf") || slices.ContainsFunc(t.statements(), func(s stated) bool {
		return slices.Contains([]string{"immutable", "frozen", "update", "monotonic"}, s.name)
	})
}

// isUnionMember reports whether the rule says that the field is a member of a union.
func (t RuleTarget) isUnionMember() bool {
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
