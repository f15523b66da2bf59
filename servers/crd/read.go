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
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/crd/definition"
)

const (
	// maxBytes bounds one file: a store accepts no object of more than 1.5 MiB, but real
	// projects put all their definitions into one file.
	maxBytes = 16 << 20
	// maxFiles bounds a folder, so that a wrong folder is reported at once.
	maxFiles = 1000
	// maxProblems bounds the number of reported problems.
	maxProblems = 30
)

// Set is the content of a folder.
type Set struct {
	// Definitions are sorted by name.
	Definitions []Definition
	// Conversion are the rules of the webhook; none without webhooks.
	Conversion Conversions
	// Kustomization is the file, beside the folder's or above it, that has kustomize patch them; "": none.
	Kustomization string
	// Rendered says that the definitions are as the folder's own kustomization patches them.
	Rendered bool
	// Admission are the configurations of the release's admission webhooks: those beside the definitions, and further ones.
	Admission []Configuration
	// Skipped are documents of other kinds, as file:line: kind.
	Skipped []string
	// Unruled are the definitions that a webhook converts whose rules the folder does not have. They can be
	// compared, and not installed: see Installable.
	Unruled []string
	unruled []error
}

// Installable returns an error if a server cannot serve the definitions as they are meant: a webhook
// converts objects, and nothing says how.
func (s Set) Installable() error { return errors.Join(s.unruled...) }

// WithProgram returns the set as it is where a program converts its objects: it needs no rules.
func (s Set) WithProgram() Set {
	s.Unruled, s.unruled = nil, nil
	return s
}

// Converted returns the names of the definitions whose objects a webhook converts. Of one version nothing is converted, whatever
// the definition names: Helm charts name a webhook for every kind.
func (s Set) Converted() (names []string) {
	for _, d := range s.Definitions {
		if d.Webhook && len(d.Versions) > 1 {
			names = append(names, d.Name)
		}
	}
	return names
}

// Without returns the set without the definitions of some names.
func (s Set) Without(names []string) Set {
	left := s
	left.Definitions = slices.DeleteFunc(slices.Clone(s.Definitions), func(d Definition) bool { return slices.Contains(names, d.Name) })
	left.Unruled, left.unruled = nil, nil
	for i, name := range s.Unruled {
		if !slices.Contains(names, name) {
			left.Unruled, left.unruled = append(left.Unruled, name), append(left.unruled, s.unruled[i])
		}
	}
	return left
}

// OfKinds returns the set with the definitions of some kinds, each with its group or without: Widget, or
// Widget.example.dev. Without names, or with one that is of no definition, it returns the whole set.
func (s Set) OfKinds(names []string) Set {
	var others []string
	for _, d := range s.Definitions {
		if !slices.ContainsFunc(names, d.isOf) {
			others = append(others, d.Name)
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(s.Definitions, func(d Definition) bool { return d.isOf(name) }) {
			return s
		}
	}
	if len(names) == 0 {
		return s
	}
	return s.Without(others)
}

// isOf reports whether a definition is of a kind.
func (d Definition) isOf(kind string) bool { return kind == d.Kind || kind == d.Kind+"."+d.Group }

// AsStored returns the set with some definitions as servers need no webhook for them: of its versions, each
// serves only the one in which objects are stored.
func (s Set) AsStored(names []string) (Set, error) {
	stored := s.Without(nil)
	stored.Unruled, stored.unruled = nil, nil
	for i, name := range s.Unruled {
		if !slices.Contains(names, name) {
			stored.Unruled, stored.unruled = append(stored.Unruled, name), append(stored.unruled, s.unruled[i])
		}
	}
	for i, d := range stored.Definitions {
		if !slices.Contains(names, d.Name) {
			continue
		}
		var err error
		if stored.Definitions[i], err = d.asStored(); err != nil {
			return stored, fmt.Errorf("%s: %w", d.Name, err)
		}
	}
	return stored, nil
}

// asStored returns the definition without its webhook, and without a served version but the stored one.
func (d Definition) asStored() (Definition, error) {
	var body map[string]any
	if err := utiljson.Unmarshal(d.JSON, &body); err != nil {
		return d, err
	}
	spec, _ := body["spec"].(map[string]any)
	delete(spec, "conversion")
	versions, _ := spec["versions"].([]any)
	for _, v := range versions {
		if version, is := v.(map[string]any); is && version["storage"] != true {
			version["served"] = false
		}
	}
	var err error
	d.Webhook = false
	d.JSON, err = json.Marshal(body)
	return d, err
}

// Stored returns the version in which a definition stores objects; "" if no server serves it.
func (d Definition) Stored() string {
	of, err := definition.Read(d.JSON)
	if err != nil {
		return ""
	}
	for _, v := range of.Spec.Versions {
		if v.Storage && v.Served {
			return v.Name
		}
	}
	return ""
}

// Definition is one CustomResourceDefinition.
type Definition struct {
	Name string // plural.group
	JSON json.RawMessage
	// Webhook reports whether it names a webhook that converts its objects.
	Webhook bool
	// Versions are all of its versions, in the definition's order.
	Versions []string
	Group    string
	Kind     string
	place    string  // file:line
	fixed    []fixed // the same fields of every definition, in the same order
}

// Problem is one error in the files.
type Problem = strict.Problem

// reader collects the content of a folder's files, and their problems.
type reader struct {
	set      Set
	problems []error
	told     map[Problem]bool
	// templates are the files that are Helm templates.
	templates []string
	patches   []*patch // of a kustomization
	// onlyAdmission says that configurations are read, and no definitions.
	onlyAdmission bool
	chart         string // the name of what a chart is rendered to; "": it is a folder
}

// add records a problem once.
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

// joined returns the problems as one error, up to maxProblems of them.
func (r *reader) joined() error {
	all := r.problems
	if more := len(all) - maxProblems; more > 0 {
		all = append(slices.Clip(all[:maxProblems]), fmt.Errorf("and %d more", more))
	}
	return errors.Join(all...)
}

// Read reads the definitions in the files of a folder that end in .yaml, .yml or .json, but not
// in its subfolders; name is the folder's name in errors. It lists objects of other kinds in
// Set.Skipped, because projects keep other manifests in such folders. It returns all problems
// at once.
func Read(name string, folder fs.FS) (Set, error) {
	r := &reader{}
	files, err := manifestFiles(name, folder)
	if err != nil {
		return Set{}, err
	}
	if k := kustomizationIn(folder); k != "" && !definesAny(folder, files) {
		r.render(name, folder, k)
		return r.conclude(name)
	}
	contents := contentOf(folder, files)
	return readings.of(name, contents, func() (Set, error) {
		r.files(name, contents)
		return r.conclude(name)
	})
}

// ReadText reads definitions in what a chart is rendered to; name is its name in errors.
func ReadText(name string, text []byte) (Set, error) {
	contents := []content{{file: name, data: text}}
	return readings.of("", contents, func() (Set, error) {
		r := &reader{chart: name}
		r.files("", contents)
		return r.conclude(name)
	})
}

// content is what a file of the folder has; err: it cannot be read.
type content struct {
	file string
	data []byte
	err  error
}

func contentOf(folder fs.FS, files []string) (all []content) {
	for _, file := range files {
		data, err := readFile(folder, file)
		all = append(all, content{file, data, err})
	}
	return all
}

// files reads the files of a folder.
func (r *reader) files(name string, contents []content) {
	for _, c := range contents {
		file := c.file
		if name != "" { // joined, the // of a module's folder is lost
			file = path.Join(name, c.file)
		}
		if c.err != nil {
			r.add(file, 0, "", "%v", c.err)
			continue
		}
		before := len(r.problems)
		r.file(file, c.data)
		r.helm(file, c.data, before)
	}
}

// conclude checks the definitions of all files together.
func (r *reader) conclude(name string) (Set, error) {
	r.templated()
	r.unpatched()
	r.unique()
	r.conversion()
	if len(r.set.Definitions) == 0 && len(r.problems) == 0 {
		r.add(name, 0, "", "contains no CustomResourceDefinition%s", r.found())
	}
	return r.set, r.joined()
}

// found describes what the folder contains instead.
func (r *reader) found() string {
	if len(r.set.Skipped) == 0 {
		return " in a file that ends in .yaml, .yml or .json"
	}
	some := slices.Clone(r.set.Skipped[:min(3, len(r.set.Skipped))])
	if r.chart == "" {
		return ": only " + strings.Join(some, ", ")
	}
	for i := range some {
		some[i] = strings.TrimPrefix(some[i], r.chart+":")
	}
	return ": only " + strings.Join(some, ", ") + "; if the chart's own values leave its definitions out, render it with others, and name the folder of the result"
}

// manifestFiles returns the names of the files to read, sorted.
func manifestFiles(name string, folder fs.FS) (files []string, err error) {
	entries, err := fs.ReadDir(folder, ".")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, Problem{File: name, Text: "no such folder"}
	case err != nil:
		return nil, Problem{File: name, Text: fmt.Sprintf("not a readable folder: %v; name the folder that has the files", cause(err))}
	}
	for _, e := range entries {
		if !e.IsDir() && slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(e.Name())) {
			files = append(files, e.Name())
		}
	}
	if len(files) > maxFiles {
		return nil, Problem{File: name, Text: fmt.Sprintf("contains %d files: at most %d are supported", len(files), maxFiles)}
	}
	return files, nil
}

// cause removes the operation and the name from an error, because the caller adds them.
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

// file reads the documents of one file. JSON is YAML, but for a few characters.
func (r *reader) file(file string, data []byte) {
	if json.Valid(data) {
		data = term.JSONForYAML(data)
	}
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

// atLine splits a parser's error into its line and its text: line 2: found a tab.
func atLine(complaint string) (line int, why string) {
	if rest, is := strings.CutPrefix(complaint, "line "); is {
		if at, why, is := strings.Cut(rest, ": "); is && number(at) > 0 {
			return number(at), why
		}
	}
	return 0, complaint
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

func (r *reader) document(file string, n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return // between two separators, or under a comment
	}
	before := len(r.problems)
	r.inspect(file, n)
	if len(r.problems) > before {
		return
	}
	value, err := strict.Value(n)
	body, isMap := value.(map[string]any)
	if err != nil || !isMap {
		r.add(file, n.Line, "", "not an object: it needs apiVersion, kind and fields")
		return
	}
	apiVersion, _ := body["apiVersion"].(string)
	kind, _ := body["kind"].(string)
	switch group, version, _ := strings.Cut(apiVersion, "/"); {
	case kind == "List" || kind == "CustomResourceDefinitionList":
		r.items(file, n)
	case r.onlyAdmission && (kind == definitionKind || apiVersion == rulesVersion):
		r.add(file, n.Line, "kind", "%s: here are configurations of webhooks alone; definitions and their rules are in the folder of the release", kind)
	case kind == rulesKind && apiVersion == rulesVersion:
		r.rules(file, n)
	case group == admissionGroup && configurationKinds[kind] != "":
		r.configuration(file, n, kind, body)
	case group != definitionGroup || kind != definitionKind:
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
		r.add(file, n.Line, "items", "missing, or not a list")
		return
	}
	for _, item := range items.Content {
		r.document(file, item)
	}
}

// inspect reports YAML that servers would understand differently.
func (r *reader) inspect(file string, n *yaml.Node) {
	tell := func(line int, text string) { r.add(file, line, "", "%s", text) }
	told := len(r.problems)
	if strict.Expand(n, tell); len(r.problems) > told {
		return
	}
	if strict.Inspect(n, tell); len(r.problems) == told { // otherwise it may nest infinitely
		asRead(n, tell)
	}
}

// asRead reports keys that are not strings and words that must be quoted, and converts dates to
// strings, as kubectl does.
func asRead(n *yaml.Node, tell func(line int, text string)) {
	if n.Kind == yaml.MappingNode {
		for range strict.Keys(n, tell) {
		}
	}
	if why := strict.Disputed(n); why != "" {
		tell(n.Line, why)
	}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!timestamp" {
		n.Tag = "!!str"
	}
	for _, c := range n.Content {
		asRead(c, tell)
	}
}

// child returns the value of a mapping's key, or nil.
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

// unique reports definitions that are in two files, and sorts them.
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
