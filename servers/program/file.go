package program

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/process"
)

// Auto is the word for a conversion webhook that is generated from an operator's own Go types.
const Auto = "auto"

// The releases of a pair, as a file names them.
const (
	Old = "old"
	New = "new"
)

// What skewsim fills in. Version is known before the program is started.
const (
	portVariable    = "$(port)"
	certDirVariable = "$(certDir)"
	versionVariable = "$(version)"
)

// DefaultConverts is the path that ConversionReviews are sent to where a file names none.
const DefaultConverts = "/convert"

// Entry describes the program of one release.
type Entry struct {
	// Component is the program's name in errors and in the name of its log.
	Component string
	// Command is the executable and its first arguments. An executable with a slash in its name is
	// relative to the folder of the file; another one is looked up in PATH.
	Command []string
	// Module is MODULE@VERSION//FOLDER, the main package of a Go module.
	Module string
	// Image is the name of a container image, which may have $(version).
	Image string
	// URL is where the program runs already, on loopback, and CAFile the file with the
	// authority of its certificate.
	URL, CAFile string
	// Flags are arguments after those of Command.
	Flags []string
	// Env are variables of the environment. Others than these, HOME, PATH and TMPDIR are not
	// passed on.
	Env map[string]string
	// Ready is a path that answers 200 when the program is ready. Default: it is ready when it
	// answers a ConversionReview without objects.
	Ready string
	// Converts is the path that ConversionReviews are sent to. Default: /convert.
	Converts string
	// Admits are the paths that AdmissionReviews are sent to. Webhooks of other paths are left out.
	Admits []string
	// Configurations is a folder or a file with configurations of admission webhooks beside those that stand in the
	// folder of the definitions: in the module of the definitions, or else relative to the folder of the file. It may
	// have $(version). Default: there are no others.
	Configurations string
	// Kinds are the kinds whose objects it converts, each as Kind or Kind.group, where definitions
	// are a cluster's and not its own: required in a preflight, and elsewhere not read.
	Kinds []string
	// Auto says that the program is generated from a Go module; nil: it is not.
	Auto *SourceModule

	file  string
	lines map[string]int // of its keys
}

// File is the content of a program file: a program for each release of a pair. Either may be
// nil, if the release has no program.
type File struct{ old, new *Entry }

// Of returns the program of a release, old or new; nil if it has none.
func (f File) Of(release string) *Entry {
	if release == Old {
		return f.old
	}
	return f.new
}

// reader reads one file.
type reader struct {
	Reader
	file File
}

// Read parses a program file and returns all of its problems at once.
func Read(file string, data []byte) (File, error) {
	r := &reader{Reader: Reader{
		File: file, Example: "{component: my-operator, command: [./operator]}", Needs: "component and command, as in {component: my-operator, command: [./operator]}",
	}}
	if n := r.Document(data); n != nil {
		r.root(n)
	}
	return r.file, r.Err()
}

// root reads one entry for both releases, or one for each of them.
func (r *reader) root(n *yaml.Node) {
	for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 { // keys, without their values
		if key := n.Content[i].Value; key == Old || key == New {
			r.Keys(n, "", map[string]func(at string, n *yaml.Node){
				Old: func(at string, n *yaml.Node) { r.file.old = r.entry(at+".", n) },
				New: func(at string, n *yaml.Node) { r.file.new = r.entry(at+".", n) },
			})
			return
		}
	}
	r.file.old = r.entry("", n)
	r.file.new = r.file.old
}

func (r *reader) entry(under string, n *yaml.Node) *Entry {
	e := &Entry{Converts: DefaultConverts, file: r.File, lines: map[string]int{}}
	if r.isAuto(n) {
		r.auto(under, n, e)
		return e
	}
	r.Keys(n, under, map[string]func(at string, n *yaml.Node){
		"component": func(at string, n *yaml.Node) { r.Name(at, n, &e.Component) },
		"command":   func(at string, n *yaml.Node) { e.Command = r.arguments(at, n) },
		"module":    func(at string, n *yaml.Node) { e.Module = r.variable(at, n, versionVariable) },
		"image":     func(at string, n *yaml.Node) { e.Image = r.variable(at, n, versionVariable) },
		"url":       func(at string, n *yaml.Node) { e.URL = r.loopback(at, n) },
		"caFile":    func(at string, n *yaml.Node) { e.CAFile, _ = r.Text(at, n) },
		"flags":     func(at string, n *yaml.Node) { e.Flags = r.arguments(at, n) },
		"env":       func(at string, n *yaml.Node) { e.Env = r.environment(at, n) },
		"ready":     func(at string, n *yaml.Node) { e.Ready = r.path(at, n) },
		"converts":  func(at string, n *yaml.Node) { e.Converts = r.path(at, n) },
		"admits": func(at string, n *yaml.Node) {
			r.List(at, n, func(at string, n *yaml.Node, _ string) { e.Admits = append(e.Admits, r.path(at, n)) })
		},
		"configurations": func(at string, n *yaml.Node) { e.Configurations = r.variable(at, n, versionVariable) },
		"kinds":          func(at string, n *yaml.Node) { e.Kinds = r.kinds(at, n) },
	})
	for i := 0; i+1 < len(n.Content); i += 2 {
		e.lines[n.Content[i].Value] = n.Content[i+1].Line
	}
	r.check(strings.TrimSuffix(under, "."), n.Line, e)
	return e
}

// check reports what the keys of an entry lack together.
func (r *reader) check(at string, line int, e *Entry) {
	ways := 0
	for _, given := range []bool{len(e.Command) > 0, e.Module != "", e.Image != "", e.URL != ""} {
		if given {
			ways++
		}
	}
	switch {
	case r.Err() != nil:
	case slices.Contains(e.Kinds, ""):
		r.Add(line, at, "kinds has an empty name: want Kind or Kind.group, such as Widget.example.dev")
	case e.twice() != "":
		r.Add(line, at, "%s is named twice in converts and admits: a path serves one of them, once", e.twice())
	case e.Component == "":
		r.Add(line, at, "component is missing: what the program is called, such as my-operator")
	case ways != 1:
		r.Add(line, at, "want exactly one of command, module, image, url and auto: how the program is started, or where it runs already")
	case e.Configurations != "" && len(e.Admits) == 0:
		r.Add(line, at, "configurations needs admits: the paths of their webhooks that the program serves, such as [/validate-widget]")
	case e.URL != "" && e.CAFile == "":
		r.Add(line, at, "url needs caFile: the file with the authority that signed the program's certificate")
	case e.URL == "" && e.CAFile != "":
		r.Add(line, at, "caFile is for a url: a program that skewsim starts finds its certificate in $(certDir)")
	case e.URL != "" && len(e.Flags)+len(e.Env) > 0:
		r.Add(line, at, "flags and env are for programs that skewsim starts, and this one runs already: leave them out")
	case e.URL == "" && !e.uses(portVariable):
		r.Add(line, at, "no argument and no variable has $(port): the program must listen on 127.0.0.1 at the port that skewsim names")
	case e.URL == "" && !e.uses(certDirVariable):
		r.Add(line, at, "no argument and no variable has $(certDir): the program must serve with the certificate in its files tls.crt and tls.key")
	}
}

// NeedsServer reports whether the program is started with a kubeconfig, and so for one server.
func (e *Entry) NeedsServer() bool { return e.uses(servers.KubeconfigVariable) }

// NeedsVersion reports whether the program depends on the version of a release.
func (e *Entry) NeedsVersion() bool {
	return e.uses(versionVariable) || strings.Contains(e.Module+e.Image, versionVariable) || e.Auto != nil && strings.Contains(e.Auto.Module, versionVariable)
}

// uses reports whether an argument or a variable has a variable of skewsim's.
func (e *Entry) uses(variable string) bool {
	all := slices.Concat(e.Command, e.Flags, slices.Collect(maps.Values(e.Env)))
	return slices.ContainsFunc(all, func(text string) bool { return strings.Contains(text, variable) })
}

// variables matches what looks like a variable of skewsim's.
var variables = regexp.MustCompile(`\$\([^)]*\)`)

// variable returns a text whose variables are known.
func (r *reader) variable(at string, n *yaml.Node, known ...string) string {
	text, ok := r.Text(at, n)
	for _, found := range variables.FindAllString(text, -1) {
		if ok && !slices.Contains(known, found) {
			r.Add(n.Line, at, "%s is not known here: want one of %s", found, strings.Join(known, ", "))
		}
	}
	return text
}

func (r *reader) kinds(at string, n *yaml.Node) (all []string) {
	r.List(at, n, func(_ string, _ *yaml.Node, name string) { all = append(all, name) })
	return all
}

func (r *reader) arguments(at string, n *yaml.Node) (all []string) {
	r.List(at, n, func(at string, n *yaml.Node, _ string) {
		all = append(all, r.variable(at, n, portVariable, certDirVariable, servers.KubeconfigVariable, versionVariable))
	})
	return all
}

func (r *reader) environment(at string, n *yaml.Node) map[string]string {
	if n.Kind != yaml.MappingNode {
		r.Add(n.Line, at, "%s, want a map of variables, such as {LOG_LEVEL: debug}", strict.What(n))
		return nil
	}
	all := map[string]string{}
	for key, value := range strict.Keys(n, func(line int, text string) { r.Add(line, at, "%s", text) }) {
		all[key.Value] = r.variable(at+"."+key.Value, value, portVariable, certDirVariable, servers.KubeconfigVariable, versionVariable)
	}
	return all
}

func (r *reader) path(at string, n *yaml.Node) string {
	text, ok := r.Text(at, n)
	if ok && !strings.HasPrefix(text, "/") {
		r.Add(n.Line, at, "%s: want a path, such as /convert", strict.Quote(text))
	}
	return text
}

// loopback reads the URL of a program that runs already.
func (r *reader) loopback(at string, n *yaml.Node) string {
	text, ok := r.Text(at, n)
	u, err := url.Parse(text)
	switch {
	case !ok:
	case err != nil || u.Scheme != "https" || !isPort(u.Port()) || strings.Trim(u.Path, "/") != "":
		r.Add(n.Line, at, "%s: want https, a host and a port, such as https://127.0.0.1:9443; the path is converts", strict.Quote(text))
	case u.User != nil || strings.ContainsAny(text, "?#"): // no server sends them either
		r.Add(n.Line, at, "want a host and a port alone, such as https://127.0.0.1:9443, without a user, a query and a fragment")
	case u.Hostname() != "localhost" && !net.ParseIP(u.Hostname()).IsLoopback():
		r.Add(n.Line, at, "%s: want an address on loopback, such as https://127.0.0.1:9443: skewsim calls no other machine", strict.Quote(text))
	}
	return strings.TrimSuffix(text, "/")
}

// isPort reports whether a text is the number of a port that something can listen on.
func isPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n > 0
}

// Reference returns the reference and the folder of the main package of an entry with a module.
func (e *Entry) Reference(version string) (ref servers.Reference, folder string, err error) {
	text := strings.ReplaceAll(e.Module, versionVariable, version)
	at, folder, _ := strings.Cut(strings.TrimPrefix(text, "module:"), "//")
	ref, err = servers.ParseReference("module:" + at)
	if err != nil {
		return ref, folder, e.problem("module", "%q: want MODULE@VERSION//FOLDER, such as sigs.k8s.io/kueue@v0.15.0//cmd/kueue: %v", text, err)
	}
	return ref, folder, nil
}

// Program returns the program of a release with that version. executable is what was built of a
// module; "" for others.
func (e *Entry) Program(version, executable string) (servers.Program, error) {
	p := servers.Program{Component: e.Component, Path: executable, URL: e.URL, Ready: e.Ready, Converts: e.Converts, Admits: e.Admits, Dir: filepath.Dir(e.file)}
	fill := func(text string) string { return strings.ReplaceAll(text, versionVariable, version) }
	for _, a := range slices.Concat(e.Command[min(1, len(e.Command)):], e.Flags) {
		p.Args = append(p.Args, fill(a))
	}
	for _, name := range slices.Sorted(maps.Keys(e.Env)) {
		p.Env = append(p.Env, name+"="+fill(e.Env[name]))
	}
	var err error
	if len(e.Command) > 0 {
		if p.Path, err = e.executable(fill(e.Command[0])); err != nil {
			return p, err
		}
	}
	if p.Path != "" {
		if p.File, err = process.FileOf(p.Path); err != nil {
			return p, e.problem("command", "%v", err)
		}
	}
	if p.CA, err = e.authority(); err != nil {
		return p, err
	}
	p.Digest, err = digestOf(p)
	return p, err
}

// digestOf identifies what a program executes, and everything that it is started with.
func digestOf(p servers.Program) (string, error) {
	text, err := json.Marshal([]any{p.Component, p.File.Digest, p.Image, p.Args, p.Env, p.URL, p.CA, p.Ready, p.Converts, p.Admits})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// executable returns the path of a command.
func (e *Entry) executable(name string) (string, error) {
	if strings.ContainsRune(name, '/') && !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(e.file), name)
		if !strings.ContainsRune(name, '/') { // which would be looked up in PATH
			name = "./" + name
		}
	}
	found, err := exec.LookPath(name)
	if err == nil {
		found, err = filepath.Abs(found)
	}
	if err != nil {
		return "", e.problem("command", "%v; build it first, and name it relative to this file", err)
	}
	return found, nil
}
