package aggregated

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/mod/module"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/program"
)

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

// reader reads one file.
type reader struct {
	program.Reader
	adapter Adapter
	given   []placedFlag
}

// placedFlag is a flag and its line in the file.
type placedFlag struct {
	text, at string
	line     int
}

// Read parses an adapter file and returns all of its problems at once.
func Read(file string, data []byte) (Adapter, error) {
	sum := sha256.Sum256(data)
	r := &reader{
		Reader:  program.Reader{File: file, Example: "{component: sample-apiserver}", Needs: "component, as in component: sample-apiserver"},
		adapter: Adapter{Package: ".", Digest: hex.EncodeToString(sum[:])},
	}
	if n := r.Document(data); n != nil {
		r.root(n)
	}
	return r.adapter, r.Err()
}

// root reads the top-level keys.
func (r *reader) root(n *yaml.Node) {
	r.Keys(n, "", map[string]func(at string, n *yaml.Node){
		"component":  func(at string, n *yaml.Node) { r.Name(at, n, &r.adapter.Component) },
		"package":    r.folder,
		"flags":      r.flags,
		"names":      r.names,
		"globals":    func(at string, n *yaml.Node) { r.Name(at, n, &r.adapter.Globals) },
		"aggregated": r.aggregated,
	})
	r.checkRenamed()
	if r.adapter.Component == "" && r.Err() == nil {
		r.Add(n.Line, "component", "missing: what the server is called, such as sample-apiserver")
	}
}

func (r *reader) aggregated(at string, n *yaml.Node) {
	r.Keys(n, at+".", map[string]func(at string, n *yaml.Node){"apiServices": r.apiServices, "behind": r.behind})
}

func (r *reader) folder(at string, n *yaml.Node) {
	text, ok := r.Text(at, n)
	if !ok {
		return
	}
	clean := path.Clean(strings.TrimPrefix(text, "./"))
	if clean != "." && module.CheckImportPath(clean) != nil || text == "" {
		r.Add(n.Line, at, "%s: want a folder of the module, such as . or cmd/apiserver", strict.Quote(text))
		return
	}
	r.adapter.Package = clean
}

func (r *reader) flags(at string, n *yaml.Node) {
	r.List(at, n, func(at string, n *yaml.Node, text string) {
		if why := Component().Against(text); why != "" {
			r.Add(n.Line, at, "%s", why)
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
			r.Add(flag.line, flag.at, "%s", why)
		}
	}
}

// apiServiceName matches version.group, such as v1alpha1.wardle.example.com.
var apiServiceName = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?\.([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)

func (r *reader) apiServices(at string, n *yaml.Node) {
	r.List(at, n, func(at string, n *yaml.Node, text string) {
		if !apiServiceName.MatchString(text) || len(text) > validation.DNS1123SubdomainMaxLength {
			r.Add(n.Line, at, "%s: want version.group, such as v1alpha1.wardle.example.com", strict.Quote(text))
			return
		}
		r.adapter.APIServices = append(r.adapter.APIServices, text)
	})
}

func (r *reader) behind(at string, n *yaml.Node) {
	text, ok := r.Text(at, n)
	if ok && !servers.IsUnderlying(text) {
		r.Add(n.Line, at, "%s is not a kube-apiserver, such as kube-apiserver@v1.37.0 or path:FILE", strict.Quote(text))
		return
	}
	r.adapter.Behind = text
}

// ownFlag matches a flag's name without dashes.
var ownFlag = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
