package scenarios

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/skewsim/skewsim/scenarios/yamlnodes"
)

// decoder fills a Scenario from a YAML document by the json tags of its
// types. It goes on after a mistake, so that all are told at once.
type decoder struct {
	*problems
	lines map[string]int // where each part of the document stands
}

// value decodes one node. The line is that of the node's key, where it has one.
func (d *decoder) value(n *yaml.Node, out reflect.Value, at string, line int) {
	d.lines[at] = line
	isNull := n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
	switch kind := out.Kind(); {
	case kind == reflect.Interface:
		d.content(n, out, at, line)
	case isNull:
		d.add(line, at, "empty: give it %s, or leave the key out", wanted(out.Type()))
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

func (d *decoder) structure(n *yaml.Node, out reflect.Value, at string, line int) {
	if group, ok := out.Addr().Interface().(*Group); ok && n.Kind != yaml.MappingNode {
		d.list(n, reflect.ValueOf(&group.Paths).Elem(), at, line)
		return
	}
	if point, ok := out.Addr().Interface().(*Point); ok && n.Kind == yaml.ScalarNode {
		d.scalar(n, reflect.ValueOf(&point.Release).Elem(), at, line)
		return
	}
	if n.Kind != yaml.MappingNode {
		d.mismatch(n, out.Type(), at, line)
		return
	}
	fields := fieldsOf(out.Type())
	for key, node := range d.keys(n, at) {
		i := slices.IndexFunc(fields, func(f keyField) bool { return f.key == key.Value })
		if i < 0 {
			d.unknownKey(key, fields, at)
			continue
		}
		fields[i].given = true
		d.value(node, out.FieldByIndex(fields[i].index), join(at, key.Value), key.Line)
	}
	for _, f := range fields {
		if f.required && !f.given {
			d.add(line, at, "missing key %q: %s", f.key, f.description)
		}
	}
}

func (d *decoder) unknownKey(key *yaml.Node, fields []keyField, at string) {
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.key
	}
	d.add(key.Line, at, "unknown key %s%s", quote(key.Value), hint(key.Value, known, "keys"))
}

// list takes a scalar as a list of one.
func (d *decoder) list(n *yaml.Node, out reflect.Value, at string, line int) {
	items := n.Content
	single := out.Type().Elem().Kind() == reflect.String || out.Type() == reflect.TypeFor[Through]()
	switch {
	case n.Kind == yaml.ScalarNode && single:
		d.item(n, out, at, line)
		return
	case n.Kind != yaml.SequenceNode:
		d.mismatch(n, out.Type(), at, line)
		return
	}
	if len(items) == 0 && single {
		d.add(line, at, "empty: give it %s, or leave the key out", wanted(out.Type()))
	}
	for i, item := range items {
		d.item(item, out, fmt.Sprintf("%s[%d]", at, i), item.Line)
	}
}

// item appends one element, unless there is something wrong with it as a
// whole: what is left out is not judged a second time.
func (d *decoder) item(n *yaml.Node, out reflect.Value, at string, line int) {
	element := reflect.New(out.Type().Elem()).Elem()
	before := len(d.problems.list)
	d.value(n, element, at, line)
	if len(d.problems.list) > before && element.IsZero() && element.Kind() == reflect.String {
		return
	}
	out.Set(reflect.Append(out, element))
}

func (d *decoder) dictionary(n *yaml.Node, out reflect.Value, at string, line int) {
	if n.Kind != yaml.MappingNode {
		d.mismatch(n, out.Type(), at, line)
		return
	}
	out.Set(reflect.MakeMap(out.Type()))
	for key, node := range d.keys(n, at) {
		element := reflect.New(out.Type().Elem()).Elem()
		d.value(node, element, join(at, key.Value), key.Line)
		out.SetMapIndex(reflect.ValueOf(key.Value).Convert(out.Type().Key()), element)
	}
}

// keys yields the keys of a mapping with their nodes, less those that are no
// strings or are given twice.
func (d *decoder) keys(n *yaml.Node, at string) iter.Seq2[*yaml.Node, *yaml.Node] {
	return yamlnodes.Keys(n, func(line int, text string) { d.add(line, at, "%s", text) })
}

// keyField is a field of a struct, as its tags describe it.
type keyField struct {
	key         string
	index       []int
	description string
	required    bool
	given       bool
}

// fieldsOf lists the fields that a document can give.
func fieldsOf(t reflect.Type) []keyField {
	var fields []keyField
	for _, f := range reflect.VisibleFields(t) {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		rules := strings.Split(f.Tag.Get("jsonschema"), ",")
		if key == "" || key == "-" || slices.Contains(rules, "-") {
			continue
		}
		fields = append(fields, keyField{
			key: key, index: f.Index,
			description: clause(f.Tag.Get("jsonschema_description")),
			required:    slices.Contains(rules, "required"),
		})
	}
	return fields
}

// clause turns a description into the end of an error: its first sentence,
// lower case, without the full stop.
func clause(description string) string {
	first, _, _ := strings.Cut(description, ". ")
	first = strings.TrimSuffix(first, ".")
	if first == "" {
		return ""
	}
	return strings.ToLower(first[:1]) + first[1:]
}

// join extends a path in the document by a key.
func join(at, key string) string {
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
