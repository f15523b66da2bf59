package strict

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/skewsim/skewsim/scenarios/suggest"
	"github.com/skewsim/skewsim/scenarios/term"
)

// scalar decodes a string, a word of a closed list, a number or a boolean.
func (d *Decoder) scalar(n *yaml.Node, out reflect.Value, at string, line int) {
	switch {
	case n.Kind != yaml.ScalarNode:
		d.mismatch(n, out.Type(), at, line)
	case out.Kind() == reflect.String && IsString(n):
		d.word(n, out, at)
	case out.Kind() == reflect.Bool && n.ShortTag() == "!!bool":
		out.SetBool(strings.EqualFold(n.Value, "true"))
	case out.Kind() == reflect.Int && n.ShortTag() == "!!int":
		i, err := strconv.Atoi(n.Value)
		if err != nil {
			d.Add(n.Line, at, "%s is not a plain whole number", n.Value)
			return
		}
		out.SetInt(int64(i))
	default:
		d.mismatch(n, out.Type(), at, line)
	}
}

// word decodes a string, and refuses a string that is not in a closed list.
func (d *Decoder) word(n *yaml.Node, out reflect.Value, at string) {
	v, closed := term.VocabularyOf(out.Type())
	word := v.Current(n.Value)
	if closed && !slices.Contains(v.Words, word) {
		d.Add(n.Line, listPath(at), "unknown %s %s%s", v.Noun, Quote(n.Value), suggest.Hint(n.Value, v.Words, v.Plural))
		return
	}
	out.SetString(word)
}

// listPath removes the index from the path of a list's element, for errors that quote the
// element.
func listPath(at string) string {
	if open := strings.LastIndexByte(at, '['); open >= 0 && strings.HasSuffix(at, "]") {
		return at[:open]
	}
	return at
}

// content decodes a field without a type of its own into unstructured content.
func (d *Decoder) content(n *yaml.Node, out reflect.Value, at string, line int) {
	if v := d.unstructured(n, at, line); v != nil {
		out.Set(reflect.ValueOf(v))
	}
}

func (d *Decoder) unstructured(n *yaml.Node, at string, line int) any {
	d.Lines[at] = line
	switch n.Kind {
	case yaml.MappingNode:
		fields := map[string]any{}
		for key, node := range d.Keys(n, at) {
			fields[key.Value] = d.unstructured(node, Join(at, key.Value), key.Line)
		}
		return fields
	case yaml.SequenceNode:
		items := make([]any, len(n.Content))
		for i, node := range n.Content {
			items[i] = d.unstructured(node, fmt.Sprintf("%s[%d]", at, i), node.Line)
		}
		return items
	}
	v, why := plainValue(n)
	if why != "" {
		d.Add(n.Line, at, "%s", why)
	}
	return v
}

// plainValue turns a scalar into nil, a bool, an int64, a float64 or a string.
func plainValue(n *yaml.Node) (v any, why string) {
	switch tag := n.ShortTag(); tag {
	case "!!null":
		return nil, ""
	case "!!bool":
		return strings.EqualFold(n.Value, "true"), ""
	case "!!int", "!!float":
		return number(n)
	case "!!str", "!!timestamp":
		if why := Disputed(n); why != "" {
			return nil, why
		}
		return n.Value, ""
	default:
		return nil, fmt.Sprintf("tag %s: only the plain types of JSON are supported", Quote(tag))
	}
}

func number(n *yaml.Node) (v any, why string) {
	var decoded any
	if err := n.Decode(&decoded); err != nil {
		return nil, fmt.Sprintf("%s is not a number", Quote(n.Value))
	}
	switch x := decoded.(type) {
	case int:
		return int64(x), ""
	case int64:
		return x, ""
	case float64:
		// Whole numbers beyond 64 bits become rounded floats.
		if whole := !strings.ContainsAny(n.Value, ".eE"); !whole && !math.IsInf(x, 0) {
			return x, ""
		}
	}
	return nil, fmt.Sprintf("%s is not a number that JSON can carry", Quote(n.Value))
}

func (d *Decoder) mismatch(n *yaml.Node, t reflect.Type, at string, line int) {
	text := fmt.Sprintf("wants %s, found %s", wanted(t), What(n))
	if t.Kind() == reflect.String && n.Kind == yaml.ScalarNode {
		text += ": quote it"
	}
	d.Add(line, at, "%s", text)
}

// wanted returns what a type takes, with its article.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return wanted(t.Elem())
	case reflect.Struct, reflect.Map:
		return "a map"
	case reflect.Slice:
		if v, closed := term.VocabularyOf(t.Elem()); closed {
			return "a list of " + v.Plural
		}
		return "a list"
	case reflect.Int:
		return "a whole number"
	case reflect.Bool:
		return "true or false"
	}
	return "a string"
}
