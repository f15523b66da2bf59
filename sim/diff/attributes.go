package diff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/scenarios/term"
)

// value compares what releases publish of one value.
type value struct{ *comparison }

// attributes are what a release publishes of one value, wherever on the way of references it
// stands.
type attributes struct {
	kind     string   // type and format
	enum     []string // as JSON
	fallback string   // the default, as JSON
	list     string   // the list or map type, with its keys
	merge    string   // the patch strategy, with its key
	chain    []*spec.Schema
}

// attributesOf collects the attributes of a value from the schemas that resolve returned.
func attributesOf(chain []*spec.Schema) attributes {
	last := chain[len(chain)-1]
	a := attributes{kind: typeOf(last), chain: chain}
	for _, s := range chain {
		if len(s.Enum) > 0 {
			a.enum = enumOf(s)
		}
		if isRealDefault(s, chain) && a.fallback == "" {
			a.fallback = text(s.Default)
		}
		if a.list == "" {
			a.list = listOf(s, shape(last))
		}
		if a.merge == "" {
			a.merge = joined(s, "x-kubernetes-patch-strategy", "x-kubernetes-patch-merge-key")
		}
	}
	a.list = cmp.Or(a.list, unstated(shape(last)))
	return a
}

// unstated returns the list or map type of a value that states none.
func unstated(shape string) string {
	switch shape {
	case "list":
		return "atomic"
	case "scalar":
		return ""
	}
	return "granular"
}

// isRealDefault reports whether a schema has a default that a server sets. The empty object that
// servers publish for each value of a struct is not one.
func isRealDefault(s *spec.Schema, chain []*spec.Schema) bool {
	empty, is := s.Default.(map[string]any)
	return s.Default != nil && !(is && len(empty) == 0 && len(chain) > 1)
}

func enumOf(s *spec.Schema) (all []string) {
	for _, v := range s.Enum {
		all = append(all, text(v))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// unquoted returns a value of an enum as differences name it: a text without its quotes.
func unquoted(value string) string {
	var word string
	if strings.HasPrefix(value, `"`) && json.Unmarshal([]byte(value), &word) == nil {
		return word
	}
	return value
}

// enumText returns the values of an enum as differences name them, as one text.
func enumText(values []string) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = unquoted(v)
	}
	return strings.Join(words, ", ")
}

// lacking returns the values that another sorted list lacks.
func lacking(values, from []string) []string {
	return slices.DeleteFunc(slices.Clone(values), func(v string) bool {
		_, has := slices.BinarySearch(from, v)
		return has
	})
}

// text returns a published value as JSON.
func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}

// listOf returns the type of a list or map with its keys. What is published of the type of a
// scalar, such as bytes, means nothing.
func listOf(s *spec.Schema, shape string) string {
	switch shape {
	case "list":
		return joined(s, "x-kubernetes-list-type", "x-kubernetes-list-map-keys")
	case "scalar":
		return ""
	}
	return joined(s, "x-kubernetes-map-type", "")
}

// joined returns the words of two extensions; "" if the schema has neither.
func joined(s *spec.Schema, first, second string) string {
	words := wordsOf(s.Extensions[first])
	if more := wordsOf(s.Extensions[second]); more != "" {
		words += " by " + more
	}
	return strings.TrimSpace(words)
}

func wordsOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var all []string
		for _, e := range v {
			all = append(all, fmt.Sprint(e))
		}
		slices.Sort(all) // keys identify elements in any order
		return strings.Join(all, ", ")
	}
	return ""
}

// shape returns what a value consists of: a list, a map, an object, or a scalar.
func shape(s *spec.Schema) string {
	switch {
	case s.Items != nil:
		return "list"
	case len(s.Properties) > 0:
		return "object"
	case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
		return "map"
	case s.Type.Contains("object"):
		return "object"
	}
	return "scalar"
}

// typeOf returns the type of a value in words.
func typeOf(s *spec.Schema) string {
	kept := ""
	if s.Extensions["x-kubernetes-preserve-unknown-fields"] == true {
		kept = ", unknown fields kept"
	}
	if of := s.AdditionalProperties; of != nil && of.Schema == nil && of.Allows && kept == "" {
		kept = ", any entries"
	}
	if embedded := s.Extensions["x-kubernetes-embedded-resource"]; embedded == true {
		kept += ", an object of its own"
	}
	switch of := shape(s); {
	case s.Extensions["x-kubernetes-int-or-string"] == true || s.Format == "int-or-string":
		return "integer or string"
	case of != "scalar":
		return of + kept
	case len(s.Type) == 0:
		return strings.Trim(strings.Join(alternatives(s), " or ")+kept, ", ")
	}
	return strings.TrimSpace(strings.Join(s.Type, " or ")+" "+s.Format) + kept
}

// alternatives returns the types of a value that states several; "any" for one that states none.
func alternatives(s *spec.Schema) (all []string) {
	for _, one := range slices.Concat(s.OneOf, s.AnyOf) {
		all = append(all, one.Type...)
	}
	if len(all) == 0 {
		return []string{"any"}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// describe returns the type of a value, with that of its elements.
func (d definitions) describe(s *spec.Schema) string {
	chain, _ := d.resolve(s)
	if len(chain) == 0 {
		return ""
	}
	last := chain[len(chain)-1]
	if below, _ := d.resolve(elementOf(last)); len(below) > 0 {
		return shape(last) + " of " + typeOf(below[len(below)-1])
	}
	return typeOf(last)
}

// attributes compares what two releases publish of one value.
func (c value) attributes(h here, old, new attributes) {
	c.changed(term.TypeChanged, h, old.kind, new.kind)
	if shape(old.chain[len(old.chain)-1]) != shape(new.chain[len(new.chain)-1]) {
		return // what else differs follows from the type
	}
	if !h.isElement() { // an element that is there has no default
		c.changed(term.DefaultChanged, h, old.fallback, new.fallback)
	}
	c.changed(term.ListChanged, h, old.list, new.list)
	c.changed(term.MergeChanged, h, old.merge, new.merge)
	c.values(h, old.enum, new.enum, new.chain[0])
	c.rules(h, old.chain, new.chain)
}

func (c value) changed(kind term.DifferenceKind, h here, old, new string) {
	if old != new {
		c.field(kind, h, "", old, new)
	}
}

// values compares enums. A new enum is a rule. Field is the value's schema in the new release.
func (c value) values(h here, old, new []string, field *spec.Schema) {
	switch {
	case slices.Equal(old, new):
	case len(old) == 0:
		c.field(term.RuleTightened, h, "enum", "", enumText(new))
	case len(new) == 0:
		c.field(term.RuleRelaxed, h, "enum", enumText(old), "")
	default:
		for _, v := range lacking(new, old) {
			v = unquoted(v)
			at := h.behind(c.valueGuards(&c.new, h.property(), field, v))
			c.field(term.EnumValueAdded, at, v, "", v)
		}
		for _, v := range lacking(old, new) {
			v = unquoted(v)
			c.field(term.EnumValueRemoved, h, v, v, "")
		}
	}
}
