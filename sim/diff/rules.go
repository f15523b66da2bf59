package diff

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/scenarios/term"
)

// rules compares the rules that releases publish of one value: bounds, patterns, alternatives and
// rules in CEL.
func (c value) rules(h here, old, new []*spec.Schema) {
	c.bounds(h, boundsOf(old), boundsOf(new))
	before, after := textsOf(old), textsOf(new)
	for _, name := range []string{"exclusiveMaximum", "exclusiveMinimum"} {
		if has(before, name) && has(after, name) { // that another number is excluded is said of the bound
			delete(before, name)
			delete(after, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(merged(before, after))) {
		c.rule(h, name, before[name], after[name])
	}
	c.expressions(h, expressionsOf(old), expressionsOf(new))
}

// rule reports a rule that one release has, or that both have in different words.
func (c value) rule(h here, name, old, new string) {
	switch {
	case old == new:
	case old == "":
		c.field(term.RuleTightened, h, name, old, new)
	case new == "":
		c.field(term.RuleRelaxed, h, name, old, new)
	default:
		c.field(term.RuleChanged, h, name, old, new)
	}
}

// bound is a number that limits a value, from above or from below.
type bound struct {
	limit float64
	lower bool
}

func (b bound) String() string { return strconv.FormatFloat(b.limit, 'g', -1, 64) }

// boundsOf returns the bounds of a value by their names in OpenAPI.
func boundsOf(chain []*spec.Schema) map[string]bound {
	all := map[string]bound{}
	number := func(name string, v *float64, lower bool) {
		if v != nil {
			all[name] = bound{*v, lower}
		}
	}
	whole := func(name string, v *int64, lower bool) {
		if v != nil && (*v > 0 || !lower) { // no count is below zero
			all[name] = bound{float64(*v), lower}
		}
	}
	for _, s := range chain {
		number("maximum", s.Maximum, false)
		number("minimum", s.Minimum, true)
		whole("maxLength", s.MaxLength, false)
		whole("minLength", s.MinLength, true)
		whole("maxItems", s.MaxItems, false)
		whole("minItems", s.MinItems, true)
		whole("maxProperties", s.MaxProperties, false)
		whole("minProperties", s.MinProperties, true)
	}
	return all
}

func (c value) bounds(h here, old, new map[string]bound) {
	for _, name := range slices.Sorted(maps.Keys(merged(old, new))) {
		before, was := old[name]
		after, is := new[name]
		switch {
		case was && is && before == after:
		case !was:
			c.field(term.RuleTightened, h, name, "", after.String())
		case !is:
			c.field(term.RuleRelaxed, h, name, before.String(), "")
		case (after.limit > before.limit) == after.lower:
			c.field(term.RuleTightened, h, name, before.String(), after.String())
		default:
			c.field(term.RuleRelaxed, h, name, before.String(), after.String())
		}
	}
}

// textsOf returns the rules that have no order, by their names in OpenAPI.
func textsOf(chain []*spec.Schema) map[string]string {
	all := map[string]string{}
	put := func(name, value string) {
		if value != "" {
			all[name] = value
		}
	}
	for _, s := range chain {
		put("pattern", s.Pattern)
		if s.MultipleOf != nil {
			put("multipleOf", bound{limit: *s.MultipleOf}.String())
		}
		put("exclusiveMaximum", excluded(s.Maximum, s.ExclusiveMaximum))
		put("exclusiveMinimum", excluded(s.Minimum, s.ExclusiveMinimum))
		put("uniqueItems", flag(s.UniqueItems))
		oneOf, anyOf, allOf := s.OneOf, s.AnyOf, s.AllOf
		if s.Extensions["x-kubernetes-int-or-string"] == true { // its alternatives may say so again
			oneOf, anyOf = besideTypes(oneOf), besideTypes(anyOf)
			allOf = slices.DeleteFunc(slices.Clone(allOf), func(one spec.Schema) bool {
				return len(one.AnyOf) > 0 && len(besideTypes(one.AnyOf)) == 0 && bare(one) == bare(spec.Schema{SchemaProps: spec.SchemaProps{AnyOf: one.AnyOf}})
			})
		}
		put("oneOf", alternativesText(oneOf))
		put("anyOf", alternativesText(anyOf))
		if len(allOf) > 1 || len(allOf) == 1 && allOf[0].Ref.String() == "" {
			put("allOf", alternativesText(allOf))
		}
		if s.Not != nil {
			put("not", alternativesText([]spec.Schema{*s.Not}))
		}
		put("null refused", flag(!s.Nullable && s == chain[len(chain)-1]))
	}
	return all
}

// excluded returns the bound that a value may not equal.
func excluded(limit *float64, is bool) string {
	if !is || limit == nil {
		return ""
	}
	return bound{limit: *limit}.String()
}

func flag(is bool) string {
	if is {
		return "true"
	}
	return ""
}

// besideTypes returns alternatives; none, if they state nothing but types.
func besideTypes(all []spec.Schema) []spec.Schema {
	if slices.ContainsFunc(all, func(one spec.Schema) bool {
		return bare(one) != bare(spec.Schema{SchemaProps: spec.SchemaProps{Type: one.Type}})
	}) {
		return all
	}
	return nil
}

// alternativesText returns schemas as text, without what describes them, in one order: servers accept the same in any.
func alternativesText(all []spec.Schema) string {
	if len(all) == 0 {
		return ""
	}
	return text(orderedAll(all))
}

// bare returns a schema as JSON, without what describes it, and with what has no order in one.
func bare(s spec.Schema) string { return text(ordered(s)) }

func ordered(s spec.Schema) spec.Schema {
	s.Description, s.Title = "", ""
	s.Required = slices.Sorted(slices.Values(s.Required))
	s.Enum = slices.SortedFunc(slices.Values(s.Enum), func(a, b any) int { return strings.Compare(text(a), text(b)) })
	s.OneOf, s.AnyOf, s.AllOf = orderedAll(s.OneOf), orderedAll(s.AnyOf), orderedAll(s.AllOf)
	if s.Not != nil {
		not := ordered(*s.Not)
		s.Not = &not
	}
	s.Properties = maps.Clone(s.Properties)
	for name, property := range s.Properties {
		s.Properties[name] = ordered(property)
	}
	if s.Items != nil && s.Items.Schema != nil {
		items := ordered(*s.Items.Schema)
		s.Items = &spec.SchemaOrArray{Schema: &items}
	}
	if of := s.AdditionalProperties; of != nil && of.Schema != nil {
		entries := ordered(*of.Schema)
		s.AdditionalProperties = &spec.SchemaOrBool{Allows: of.Allows, Schema: &entries}
	}
	return s
}

func orderedAll(all []spec.Schema) []spec.Schema {
	own := slices.Clone(all)
	for i := range own {
		own[i] = ordered(own[i])
	}
	slices.SortStableFunc(own, func(a, b spec.Schema) int { return strings.Compare(text(a), text(b)) })
	return own
}

// expression is a rule in CEL, with the message that it states. A message that it computes is not known.
type expression struct {
	rule, message string
	computed      bool
	onCreates     bool // it compares with what was stored, and is evaluated where nothing is, too
}

// messages returns what servers say of what the rule refuses, as far as it is known.
func (e expression) messages() []string {
	if e.computed {
		return nil
	}
	return []string{strings.TrimSpace(cmp.Or(e.message, e.rule))}
}

// optionalOldSelf is a remark on a rule in CEL that is evaluated on creates too, and on updates alone in the other
// release.
const optionalOldSelf = " // optionalOldSelf"

// besides returns the rule as it stands beside that of the other release.
func (e expression) besides(other expression) string {
	if e.onCreates && !other.onCreates {
		return e.rule + optionalOldSelf
	}
	return e.rule
}

// expressionsOf returns the rules in CEL of a value, by the rule without its spaces.
func expressionsOf(chain []*spec.Schema) map[string]expression {
	all := map[string]expression{}
	for _, s := range chain {
		list, _ := s.Extensions["x-kubernetes-validations"].([]any)
		for _, entry := range list {
			fields, _ := entry.(map[string]any)
			rule, _ := fields["rule"].(string)
			message, _ := fields["message"].(string)
			if rule == "" {
				continue
			}
			at := withoutSpaces(rule)
			onCreates := fields["optionalOldSelf"] == true
			if onCreates {
				at += optionalOldSelf
			}
			_, computed := fields["messageExpression"]
			all[at] = expression{rule, message, computed, onCreates}
		}
	}
	return all
}

// spaced finds the texts of a rule in CEL, in which spaces count, and its spaces with the character
// before and after.
var spaced = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\s+`)

// withoutSpaces returns a rule without the spaces that part no words. A rule with remarks, or with
// texts whose backslashes mean themselves, stays as it is.
func withoutSpaces(rule string) string {
	for _, mark := range []string{"//", `r"`, `r'`, `R"`, `R'`, `"""`, `'''`} {
		if strings.Contains(rule, mark) {
			return rule
		}
	}
	var bare strings.Builder
	rest := 0
	for _, at := range spaced.FindAllStringIndex(rule, -1) {
		bare.WriteString(rule[rest:at[0]])
		rest = at[1]
		text := rule[at[0]:at[1]]
		switch {
		case strings.TrimSpace(text) != "":
			bare.WriteString(text)
		case at[0] > 0 && at[1] < len(rule) && isWord(rule[at[0]-1]) && isWord(rule[at[1]]):
			bare.WriteByte(' ')
		}
	}
	return bare.String() + rule[rest:]
}

// isWord reports whether a character may be part of a name or a number.
func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// bothMessages returns what servers say of what either of two rules refuses; none if that is not known of one.
func bothMessages(old, new expression) []string {
	if old.computed || new.computed {
		return nil
	}
	return slices.Compact(slices.Concat(old.messages(), new.messages()))
}

// expressions compares rules in CEL. Two rules with one message, or that name the same members, are one rule
// that was changed.
func (c value) expressions(h here, old, new map[string]expression) {
	gone := slices.DeleteFunc(slices.Sorted(maps.Keys(old)), func(rule string) bool { return has(new, rule) })
	for _, at := range slices.Sorted(maps.Keys(new)) {
		if has(old, at) {
			continue
		}
		rule, message := new[at].rule, new[at].message
		i := slices.IndexFunc(gone, func(was string) bool { return message != "" && old[was].message == message })
		if i < 0 {
			i = slices.IndexFunc(gone, func(was string) bool { return slices.Equal(membersIn(was), membersIn(at)) })
		}
		if i < 0 {
			c.at(h, Difference{Difference: term.RuleTightened, Name: rule, New: rule, Messages: new[at].messages()})
			continue
		}
		was := old[gone[i]]
		c.at(h, Difference{Difference: term.RuleChanged, Name: rule, Old: was.besides(new[at]), New: new[at].besides(was), Messages: bothMessages(was, new[at])})
		gone = slices.Delete(gone, i, i+1)
	}
	for _, at := range gone {
		c.at(h, Difference{Difference: term.RuleRelaxed, Name: old[at].rule, Old: old[at].rule, Messages: old[at].messages()})
	}
}

// member finds the members of an object that a rule in CEL names.
var member = regexp.MustCompile(`\b(?:self|oldSelf)\b(?:\.\w+)*`)

// membersIn returns the members that a rule in CEL names, each once, in order.
func membersIn(rule string) []string {
	all := member.FindAllString(rule, -1)
	slices.Sort(all)
	return slices.Compact(all)
}

// merged returns a map with the keys of both.
func merged[V any](a, b map[string]V) map[string]V {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}
