package aggregated

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/mod/module"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/skewsim/skewsim/scenarios/yamlnodes"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
)

// maxBytes bounds the size of an adapter file, which normally has a few lines.
const maxBytes = 64 << 10

// Adapter describes what the API server of a module does not report by itself.
type Adapter struct {
	// Component is the server's name, as scenarios use it in releases.of.
	Component string
	// Package is the folder of its main package in the module. Default ".".
	Package string
	// Flags are passed to the server unchanged.
	Flags []string
	// Names maps flags that skewsim sets to the server's names for them; "" means that the
	// server has no such flag.
	Names map[string]string
	// Globals is the component that its --feature-gates and --emulated-version name.
	Globals string
	// APIServices are the versions that clients reach through the kube-apiserver, each as
	// version.group. Default: all versions that the server serves.
	APIServices []string
	// Behind is the reference of the kube-apiserver. Default: the newest that is built.
	Behind string
	// Digest is the sha256 of the file's bytes, in hex; "" if there is no file.
	Digest string
}

// Default returns the adapter for a module without one: the server has the module's name, and
// its main package is at the module's root.
func Default(of string) Adapter {
	prefix, _, ok := module.SplitPathVersion(of)
	if !ok {
		prefix = of
	}
	return Adapter{Component: path.Base(prefix), Package: "."}
}

// Server returns the component that the adapter describes.
func (a Adapter) Server() apiserver.Component {
	c := Component()
	c.Names = a.Names
	return c
}

// Problem is one error in an adapter file.
type Problem = yamlnodes.Problem

// reader reads one file.
type reader struct {
	file     string
	adapter  Adapter
	given    []placedFlag
	problems []error
}

// placedFlag is a flag and its line in the file.
type placedFlag struct {
	text, at string
	line     int
}

// Read parses an adapter file and returns all of its problems at once.
func Read(file string, data []byte) (Adapter, error) {
	sum := sha256.Sum256(data)
	r := &reader{file: file, adapter: Adapter{Package: ".", Digest: hex.EncodeToString(sum[:])}}
	if n := r.document(data); n != nil {
		r.root(n)
	}
	return r.adapter, errors.Join(r.problems...)
}

func (r *reader) add(line int, at, format string, args ...any) {
	r.problems = append(r.problems, Problem{File: r.file, Line: line, Path: at, Text: fmt.Sprintf(format, args...)})
}

// document returns the file's only map, or nil if it has none; the problem has been added then.
func (r *reader) document(data []byte) *yaml.Node {
	if len(data) > maxBytes {
		r.add(0, "", "larger than %d KiB", maxBytes>>10)
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	if err := decode(decoder, &document); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("empty: want at least component, as in component: sample-apiserver")
		}
		r.add(0, "", "%v", err)
		return nil
	}
	if err := decode(decoder, &second); !errors.Is(err, io.EOF) {
		r.add(second.Line, "", "more than one document: a file holds exactly one")
	}
	n := document.Content[0]
	yamlnodes.Inspect(n, func(line int, text string) { r.add(line, "", "%s", text) })
	if n.Kind != yaml.MappingNode && len(r.problems) == 0 {
		r.add(n.Line, "", "%s, want a map such as {component: sample-apiserver}", yamlnodes.What(n))
	}
	if len(r.problems) > 0 {
		return nil
	}
	return n
}

// decode reads the next document. It turns a panic of the parser into an error.
func decode(decoder *yaml.Decoder, into *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("not YAML: %v", p)
		}
	}()
	switch err := decoder.Decode(into); {
	case errors.Is(err, io.EOF):
		return err
	case err != nil:
		return fmt.Errorf("not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	case len(into.Content) == 0:
		return io.EOF
	}
	return nil
}

// root reads the top-level keys.
func (r *reader) root(n *yaml.Node) {
	r.keys(n, "", map[string]func(at string, n *yaml.Node){
		"component":  func(at string, n *yaml.Node) { r.name(at, n, &r.adapter.Component) },
		"package":    r.folder,
		"flags":      r.flags,
		"names":      r.names,
		"globals":    func(at string, n *yaml.Node) { r.name(at, n, &r.adapter.Globals) },
		"aggregated": r.aggregated,
	})
	r.checkRenamed()
	if r.adapter.Component == "" && len(r.problems) == 0 {
		r.add(n.Line, "component", "missing: what the server is called, such as sample-apiserver")
	}
}

func (r *reader) aggregated(at string, n *yaml.Node) {
	r.keys(n, at+".", map[string]func(at string, n *yaml.Node){"apiServices": r.apiServices, "behind": r.behind})
}

// keys reads a map with known keys.
func (r *reader) keys(n *yaml.Node, under string, known map[string]func(at string, n *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		r.add(n.Line, strings.TrimSuffix(under, "."), "%s, want a map", yamlnodes.What(n))
		return
	}
	for key, value := range yamlnodes.Keys(n, func(line int, text string) { r.add(line, "", "%s", text) }) {
		if read := known[key.Value]; read != nil {
			read(under+key.Value, value)
			continue
		}
		r.add(key.Line, strings.TrimSuffix(under, "."), "unknown key %s%s", yamlnodes.Quote(key.Value), hint(key.Value, known))
	}
}

// text returns a node's string.
func (r *reader) text(at string, n *yaml.Node) (string, bool) {
	if !yamlnodes.IsString(n) {
		r.add(n.Line, at, "%s, want a string", yamlnodes.What(n))
		return "", false
	}
	return n.Value, true
}

// name reads a name that is used in file names and in an object's name.
func (r *reader) name(at string, n *yaml.Node, into *string) {
	text, ok := r.text(at, n)
	if ok && len(validation.IsDNS1035Label(text)) > 0 {
		r.add(n.Line, at, "%s: want lower-case letters, digits and \"-\", a letter first, at most 63", yamlnodes.Quote(text))
		return
	}
	*into = text
}

func (r *reader) folder(at string, n *yaml.Node) {
	text, ok := r.text(at, n)
	if !ok {
		return
	}
	clean := path.Clean(strings.TrimPrefix(text, "./"))
	if clean != "." && module.CheckImportPath(clean) != nil || text == "" {
		r.add(n.Line, at, "%s: want a folder of the module, such as . or cmd/apiserver", yamlnodes.Quote(text))
		return
	}
	r.adapter.Package = clean
}

// list reads a list of strings and calls each with every one.
func (r *reader) list(at string, n *yaml.Node, each func(at string, n *yaml.Node, text string)) {
	if n.Kind != yaml.SequenceNode {
		r.add(n.Line, at, "%s, want a list", yamlnodes.What(n))
		return
	}
	for i, item := range n.Content {
		place := fmt.Sprintf("%s[%d]", at, i)
		if text, ok := r.text(place, item); ok {
			each(place, item, text)
		}
	}
}

func (r *reader) flags(at string, n *yaml.Node) {
	r.list(at, n, func(at string, n *yaml.Node, text string) {
		if why := Component().Against(text); why != "" {
			r.add(n.Line, at, "%s", why)
			return
		}
		r.adapter.Flags = append(r.adapter.Flags, text)
		r.given = append(r.given, placedFlag{text, at, n.Line})
	})
}

// checkRenamed refuses flags by the server's own names for flags that skewsim sets. It runs
// last, because the file may list names after flags.
func (r *reader) checkRenamed() {
	for _, flag := range r.given {
		if why := r.adapter.Server().Against(flag.text); why != "" {
			r.add(flag.line, flag.at, "%s", why)
		}
	}
}

// apiServiceName matches version.group, such as v1alpha1.wardle.example.com.
var apiServiceName = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?\.([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)

func (r *reader) apiServices(at string, n *yaml.Node) {
	r.list(at, n, func(at string, n *yaml.Node, text string) {
		if !apiServiceName.MatchString(text) || len(text) > validation.DNS1123SubdomainMaxLength {
			r.add(n.Line, at, "%s: want version.group, such as v1alpha1.wardle.example.com", yamlnodes.Quote(text))
			return
		}
		r.adapter.APIServices = append(r.adapter.APIServices, text)
	})
}

func (r *reader) behind(at string, n *yaml.Node) {
	text, ok := r.text(at, n)
	if ok && !servers.IsUnderlying(text) {
		r.add(n.Line, at, "%s is not a kube-apiserver, such as kube-apiserver@v1.37.0 or path:FILE", yamlnodes.Quote(text))
		return
	}
	r.adapter.Behind = text
}

// ownFlag matches a flag's name without dashes.
var ownFlag = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
