package cluster

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/skewsim/skewsim/scenarios/strict"
)

// json reads a file of JSON documents, and reports whether it is one.
func (r *reader) json(name string, data []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(data))
	var all []json.RawMessage
	for {
		var body json.RawMessage
		err := decoder.Decode(&body)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return false
		}
		all = append(all, body)
	}
	for i, body := range all {
		r.document(document{file: name, number: i + 1}, body)
	}
	return true
}

// yaml reads the documents of a file of YAML. Of a Helm template it says that it is one, in the
// place of all else: nothing of it can be relied on until it is rendered.
func (r *reader) yaml(name string, data []byte) {
	problems, found, skipped := len(r.problems), len(r.found), len(r.coverage.Skipped)
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for number := 1; r.interrupted() == nil; number++ {
		var n yaml.Node
		err := decode(decoder, &n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			line, why := atLine(strings.TrimPrefix(err.Error(), "yaml: "))
			r.problem(name, line, "not YAML: %s", why)
			break
		}
		if len(n.Content) > 0 && n.Content[0].ShortTag() != "!!null" { // between two separators, or under a comment
			r.node(document{name, number, n.Content[0].Line}, n.Content[0])
		}
	}
	if slices.ContainsFunc(r.problems[problems:], func(err error) bool { return strict.IsOfTemplate(err, data) }) {
		r.problems, r.coverage.Skipped = r.problems[:problems], r.coverage.Skipped[:skipped]
		r.found = r.found[:found]
		r.coverage.Lack(name, "%s", strict.HelmTemplate)
	}
}

// decode reads one document. It turns a panic of the parser into an error.
func decode(decoder *yaml.Decoder, into *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return decoder.Decode(into)
}

// atLine splits a parser's error into its line and its text: line 2: found a tab.
func atLine(complaint string) (line int, why string) {
	if rest, is := strings.CutPrefix(complaint, "line "); is {
		if at, why, is := strings.Cut(rest, ": "); is {
			if n, err := strconv.Atoi(at); err == nil && n > 0 {
				return n, why
			}
		}
	}
	return 0, complaint
}

// node converts a document to JSON as kubectl does, and reads it.
func (r *reader) node(d document, n *yaml.Node) {
	before := len(r.problems)
	tell := func(line int, text string) { r.problem(d.file, line, "%s", text) }
	strict.Expand(n, tell)
	if len(r.problems) == before {
		strict.Inspect(n, tell)
	}
	if len(r.problems) > before {
		return
	}
	if isLargerThan(n, maxYAML) {
		r.problem(d.file, d.line, "aliases make it larger than %d MiB: write them out", maxYAML>>20)
		return
	}
	asKubectl(n)
	body, err := strict.Value(n)
	if err == nil {
		var text []byte
		if text, err = json.Marshal(body); err == nil {
			r.document(d, text)
			return
		}
	}
	line, why := atLine(strings.TrimSpace(strings.TrimPrefix(err.Error(), "yaml: unmarshal errors:\n")))
	r.problem(d.file, max(line, d.line), "not readable as JSON: %s", why)
}

// isLargerThan reports whether the values of a node are larger than a number of bytes.
func isLargerThan(n *yaml.Node, most int) bool {
	return sizeUpTo(n, most) > most
}

func sizeUpTo(n *yaml.Node, most int) (size int) {
	size = len(n.Value)
	for _, c := range n.Content {
		if size > most {
			break
		}
		size += sizeUpTo(c, most-size)
	}
	return size
}

// asKubectl changes a node where kubectl reads YAML 1.1: the plain words yes, no, on and off
// are booleans, dates are strings, and every key is a string.
func asKubectl(n *yaml.Node) {
	if value, is := boolean(n); is {
		n.Tag, n.Value = "!!bool", strconv.FormatBool(value)
	}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!timestamp" {
		n.Tag = "!!str"
	}
	for i, c := range n.Content {
		asKubectl(c)
		if n.Kind == yaml.MappingNode && i%2 == 0 && c.Kind == yaml.ScalarNode {
			c.Tag = "!!str"
		}
	}
}

// boolean reports whether kubectl reads a word as a boolean, and which one.
func boolean(n *yaml.Node) (value, is bool) {
	if strict.Disputed(n) == "" {
		return false, false
	}
	lower := strings.ToLower(n.Value)
	title := strings.ToUpper(lower[:1]) + lower[1:]
	is = slices.Contains([]string{lower, title, strings.ToUpper(lower)}, n.Value) // and not yEs
	return slices.Contains([]string{"y", "yes", "on"}, lower), is
}
