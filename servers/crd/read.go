package crd

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/skewsim/skewsim/scenarios/yamlnodes"
)

const (
	// maxBytes bounds one file: a store takes no object of more than 1.5 MiB, and
	// real projects put all their definitions into one file.
	maxBytes = 16 << 20
	// maxFiles bounds a folder, so that a mistaken one is told at once.
	maxFiles = 1000
	// mostProblems bounds how much is told at once.
	mostProblems = 30
)

// Set is what a folder holds.
type Set struct {
	// Definitions are in the order of their names.
	Definitions []Definition
	// Conversion are the rules of the webhook; nil: there are none.
	Conversion *Rules
	// Skipped are documents of other kinds, as file:line: kind.
	Skipped []string
}

// Definition is one CustomResourceDefinition.
type Definition struct {
	Name string // plural.group
	JSON json.RawMessage
	// Webhook says that its objects are converted by one.
	Webhook bool
	// Versions are all that it names, in its order.
	Versions []string
	Group    string
	place    string  // file:line
	fixed    []fixed // the same fields of every definition, in the same order
}

// Problem is one thing wrong with the files.
type Problem = yamlnodes.Problem

// reader collects what the files of a folder hold, and what is wrong with them.
type reader struct {
	set      Set
	problems []error
	told     map[Problem]bool
}

// add keeps a problem, each once.
func (r *reader) add(file string, line int, at, format string, args ...any) {
	p := Problem{File: file, Line: line, Path: at, Text: fmt.Sprintf(format, args...)}
	if r.told == nil {
		r.told = map[Problem]bool{}
	}
	if !r.told[p] {
		r.told[p] = true
		r.problems = append(r.problems, p)
	}
}

// joined are the problems as one error: of very many the first.
func (r *reader) joined() error {
	all := r.problems
	if more := len(all) - mostProblems; more > 0 {
		all = append(slices.Clip(all[:mostProblems]), fmt.Errorf("and %d more", more))
	}
	return errors.Join(all...)
}

// Read reads the definitions in a folder's own files that end in .yaml, .yml or
// .json; name is what errors call it. What is of another kind is left out, and told in
// Set.Skipped: a project keeps more in such folders. All problems are told at once.
func Read(name string, folder fs.FS) (Set, error) {
	r := &reader{}
	files, err := manifestFiles(name, folder)
	if err != nil {
		return Set{}, err
	}
	for _, file := range files {
		data, err := readFile(folder, file)
		if err != nil {
			r.add(path.Join(name, file), 0, "", "%v", err)
			continue
		}
		before := len(r.problems)
		r.file(path.Join(name, file), data)
		r.helm(path.Join(name, file), data, before)
	}
	r.unique()
	r.conversion()
	if len(r.set.Definitions) == 0 && len(r.problems) == 0 {
		r.add(name, 0, "", "holds no CustomResourceDefinition%s", r.found())
	}
	return r.set, r.joined()
}

// found says what there is instead.
func (r *reader) found() string {
	if len(r.set.Skipped) == 0 {
		return " in a file that ends in .yaml, .yml or .json"
	}
	return ": only " + strings.Join(r.set.Skipped[:min(3, len(r.set.Skipped))], ", ")
}

// manifestFiles are those to read, sorted.
func manifestFiles(name string, folder fs.FS) (files []string, err error) {
	entries, err := fs.ReadDir(folder, ".")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, Problem{File: name, Text: "no such folder"}
	case err != nil:
		return nil, Problem{File: name, Text: fmt.Sprintf("no folder that can be read: %v", cause(err))}
	}
	for _, e := range entries {
		if !e.IsDir() && slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(e.Name())) {
			files = append(files, e.Name())
		}
	}
	if len(files) > maxFiles {
		return nil, Problem{File: name, Text: fmt.Sprintf("holds %d files: at most %d", len(files), maxFiles)}
	}
	return files, nil
}

// cause takes the operation and the name off an error, which the caller gives.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

func readFile(folder fs.FS, file string) ([]byte, error) {
	info, err := fs.Stat(folder, file)
	if err != nil {
		return nil, cause(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	f, err := folder.Open(file)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err == nil && len(data) > maxBytes {
		err = fmt.Errorf("larger than %d MiB", maxBytes>>20)
	}
	return data, err
}

// file reads the documents of one file, JSON being YAML.
func (r *reader) file(file string, data []byte) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var document yaml.Node
		err := decode(decoder, &document)
		switch {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			line, why := atLine(strings.TrimPrefix(err.Error(), "yaml: "))
			r.add(file, line, "", "not YAML: %s", why)
			return
		}
		if len(document.Content) > 0 {
			r.document(file, document.Content[0])
		}
	}
}

// atLine takes the line off what a parser says: line 2: found a tab.
func atLine(complaint string) (line int, why string) {
	if rest, is := strings.CutPrefix(complaint, "line "); is {
		if at, why, is := strings.Cut(rest, ": "); is && number(at) > 0 {
			return number(at), why
		}
	}
	return 0, complaint
}

// decode reads one document. The parser is fed with whatever a user has: a panic in it
// is that file's fault.
func decode(decoder *yaml.Decoder, into *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return decoder.Decode(into)
}

func (r *reader) document(file string, n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return // between two separators, or under a comment
	}
	before := len(r.problems)
	r.inspect(file, n)
	if len(r.problems) > before {
		return
	}
	var body map[string]any
	if n.Kind != yaml.MappingNode || n.Decode(&body) != nil {
		r.add(file, n.Line, "", "not an object: it needs apiVersion, kind and fields")
		return
	}
	apiVersion, _ := body["apiVersion"].(string)
	kind, _ := body["kind"].(string)
	switch group, version, _ := strings.Cut(apiVersion, "/"); {
	case kind == "List" || kind == "CustomResourceDefinitionList":
		r.items(file, n)
	case kind == rulesKind && apiVersion == rulesVersion:
		r.rules(file, n)
	case group != "apiextensions.k8s.io" || kind != definitionKind:
		r.set.Skipped = append(r.set.Skipped, fmt.Sprintf("%s:%d: %s", file, n.Line, cmp.Or(kind, "no kind")))
	case version != "v1":
		r.add(file, n.Line, "apiVersion", "%q: no release from 1.22 on serves it: write the definition as apiextensions.k8s.io/v1", apiVersion)
	default:
		r.definition(file, n, body)
	}
}

// items reads the objects of a list.
func (r *reader) items(file string, n *yaml.Node) {
	items := child(n, "items")
	if items == nil || items.Kind != yaml.SequenceNode {
		r.add(file, n.Line, "items", "missing, or no list")
		return
	}
	for _, item := range items.Content {
		r.document(file, item)
	}
}

// inspect refuses what servers would not understand as it is written here.
func (r *reader) inspect(file string, n *yaml.Node) {
	tell := func(line int, text string) { r.add(file, line, "", "%s", text) }
	told := len(r.problems)
	if yamlnodes.Expand(n, tell); len(r.problems) > told {
		return
	}
	if yamlnodes.Inspect(n, tell); len(r.problems) == told { // else it may nest without end
		asRead(n, tell)
	}
}

// asRead tells of keys that are none and words that must be quoted, and makes strings of
// dates, as kubectl reads them.
func asRead(n *yaml.Node, tell func(line int, text string)) {
	if n.Kind == yaml.MappingNode {
		for range yamlnodes.Keys(n, tell) {
		}
	}
	if why := yamlnodes.Disputed(n); why != "" {
		tell(n.Line, why)
	}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!timestamp" {
		n.Tag = "!!str"
	}
	for _, c := range n.Content {
		asRead(c, tell)
	}
}

// child is the value of a mapping's key; nil: it has none.
func child(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// unique tells of definitions that two files hold, and puts them in order.
func (r *reader) unique() {
	slices.SortStableFunc(r.set.Definitions, func(a, b Definition) int { return cmp.Compare(a.Name, b.Name) })
	for i, d := range r.set.Definitions {
		if i > 0 && r.set.Definitions[i-1].Name == d.Name {
			file, line, _ := strings.Cut(d.place, "\n")
			first := strings.ReplaceAll(r.set.Definitions[i-1].place, "\n", ":")
			r.add(file, number(line), "metadata.name", "%q is defined in %s already", d.Name, first)
		}
	}
}
