package strict

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/skewsim/skewsim/scenarios/suggest"
)

// Decoder fills a Scenario from a YAML document by the json tags of its types. It continues
// after a mistake, to report all mistakes at once.
type Decoder struct {
	*Problems
	Lines map[string]int // where each part of the document stands
}

// Decode fills out, a pointer to a struct, from the document's root.
func (d *Decoder) Decode(n *yaml.Node, out any) {
	d.value(n, reflect.ValueOf(out).Elem(), "", n.Line)
}

// value decodes one node. The line is that of the node's key, if it has one.
func (d *Decoder) value(n *yaml.Node, out reflect.Value, at string, line int) {
	d.Lines[at] = line
	isNull := n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
	switch kind := out.Kind(); {
	case kind == reflect.Interface:
		d.content(n, out, at, line)
	case isNull:
		d.Add(line, at, "empty: give it %s, or leave the key out", wanted(out.Type()))
	case kind == reflect.Pointer:
		out.Set(reflect.New(out.Type().Elem()))
		d.value(n, out.Elem(), at, line)
	case kind == reflect.Struct:
		d.structure(n, out, at, line)
	case kind == reflect.Slice:
		d.list(n, out, at, line)
	case kind == reflect.Map:
		d.dictionary(n, out, at, line)
	default:
		d.scalar(n, out, at, line)
	}
}

func (d *Decoder) structure(n *yaml.Node, out reflect.Value, at string, line int) {
	if s, ok := out.Addr().Interface().(shorthand); ok && n.Kind != yaml.MappingNode {
		if short := reflect.ValueOf(s.Short()).Elem(); short.Kind() == reflect.Slice || n.Kind == yaml.ScalarNode {
			d.value(n, short, at, line)
			return
		}
	}
	if n.Kind != yaml.MappingNode {
		d.mismatch(n, out.Type(), at, line)
		return
	}
	fields := FieldsOf(out.Type())
	for key, node := range d.Keys(n, at) {
		i := slices.IndexFunc(fields, func(f Field) bool { return f.Key == key.Value || f.Alias == key.Value && key.Value != "" })
		switch {
		case i < 0:
			d.unknownKey(key, fields, at)
			continue
		case fields[i].given:
			d.Add(key.Line, at, "%s and %s are the same key: give one of them", fields[i].Key, fields[i].Alias)
			continue
		}
		fields[i].given = true
		if key.Value != fields[i].Key {
			d.earlier(at, fields[i])
		}
		d.value(node, out.FieldByIndex(fields[i].Index), Join(at, fields[i].Key), key.Line)
	}
	for _, f := range fields {
		if f.required && !f.given {
			d.Add(line, at, "missing key %q: %s", f.Key, f.description)
		}
	}
}

// earlier notes that the file uses the earlier name of a key.
func (d *Decoder) earlier(at string, f Field) {
	if d.Earlier == nil {
		d.Earlier = map[string]string{}
	}
	d.Earlier[Join(at, f.Key)] = Join(at, f.Alias)
}

func (d *Decoder) unknownKey(key *yaml.Node, fields []Field, at string) {
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.Key
	}
	d.Add(key.Line, at, "unknown key %s%s", Quote(key.Value), suggest.Hint(key.Value, known, "keys"))
}

// list decodes a scalar as a list of one.
func (d *Decoder) list(n *yaml.Node, out reflect.Value, at string, line int) {
	items := n.Content
	single := isText(out.Type().Elem())
	switch {
	case n.Kind == yaml.ScalarNode && single:
		d.item(n, out, at, line)
		return
	case n.Kind != yaml.SequenceNode:
		d.mismatch(n, out.Type(), at, line)
		return
	}
	if len(items) == 0 && single {
		d.Add(line, at, "empty: give it %s, or leave the key out", wanted(out.Type()))
	}
	for i, item := range items {
		d.item(item, out, fmt.Sprintf("%s[%d]", at, i), item.Line)
	}
}

// shorthand is a struct that has a shorter form in files: Short returns a pointer to the field
// that the shorter form fills, a list or a string.
type shorthand interface{ Short() any }

// isText reports whether an element of a list can be written as one string.
func isText(t reflect.Type) bool {
	s, ok := reflect.New(t).Interface().(shorthand)
	return t.Kind() == reflect.String || ok && reflect.TypeOf(s.Short()).Elem().Kind() == reflect.String
}

// item appends one element, unless the element as a whole is wrong: then its parts are not
// checked either.
func (d *Decoder) item(n *yaml.Node, out reflect.Value, at string, line int) {
	element := reflect.New(out.Type().Elem()).Elem()
	before := len(d.Problems.List)
	d.value(n, element, at, line)
	if len(d.Problems.List) > before && element.IsZero() && element.Kind() == reflect.String {
		return
	}
	out.Set(reflect.Append(out, element))
}

func (d *Decoder) dictionary(n *yaml.Node, out reflect.Value, at string, line int) {
	if n.Kind != yaml.MappingNode {
		d.mismatch(n, out.Type(), at, line)
		return
	}
	out.Set(reflect.MakeMap(out.Type()))
	for key, node := range d.Keys(n, at) {
		element := reflect.New(out.Type().Elem()).Elem()
		d.value(node, element, Join(at, key.Value), key.Line)
		out.SetMapIndex(reflect.ValueOf(key.Value).Convert(out.Type().Key()), element)
	}
}

// Keys yields the keys of a mapping with their nodes. It reports and leaves out keys that are
// not strings or occur twice.
func (d *Decoder) Keys(n *yaml.Node, at string) iter.Seq2[*yaml.Node, *yaml.Node] {
	return Keys(n, func(line int, text string) { d.Add(line, at, "%s", text) })
}

// Field is a field of a struct, as its tags describe it.
type Field struct {
	Key         string
	Alias       string // an earlier name of the key, which files may still use; "": none
	Index       []int
	description string
	required    bool
	given       bool
}

// FieldsOf returns the fields that a document can have.
func FieldsOf(t reflect.Type) []Field {
	var fields []Field
	for _, f := range reflect.VisibleFields(t) {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		rules := strings.Split(f.Tag.Get("jsonschema"), ",")
		if key == "" || key == "-" || slices.Contains(rules, "-") {
			continue
		}
		fields = append(fields, Field{
			Key: key, Alias: f.Tag.Get("alias"), Index: f.Index,
			description: clause(f.Tag.Get("jsonschema_description")),
			required:    slices.Contains(rules, "required"),
		})
	}
	return fields
}

// clause turns a description into the end of an error: its first sentence, lower case, without
// the full stop.
func clause(description string) string {
	first, _, _ := strings.Cut(description, ". ")
	first = strings.TrimSuffix(first, ".")
	if first == "" {
		return ""
	}
	return strings.ToLower(first[:1]) + first[1:]
}

// Join extends a path in the document by a key.
func Join(at, key string) string {
	switch {
	case strings.ContainsFunc(key, isOdd) || key == "":
		return at + "[" + strconv.Quote(key) + "]"
	case at == "":
		return key
	}
	return at + "." + key
}

func isOdd(r rune) bool {
	return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

// Element extends a path in the document by the number of a list's element.
func Element(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }
