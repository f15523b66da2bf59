package program

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/skewsim/skewsim/servers"
)

// SourceModule describes the Go module that a program is generated from.
type SourceModule struct {
	// Module is MODULE@VERSION, or a folder in a module, such as ./operator, found from where skewsim runs. Default: the module that
	// the definitions are in.
	Module string
	// Setup is a Go file that sets the conversions up, found from where skewsim runs. Default: they need none.
	Setup string

	file            string
	line, setupLine int // of the module, and of the set-up
}

// isAuto reports whether an entry has the key auto.
func (r *reader) isAuto(n *yaml.Node) bool {
	for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 { // keys, without their values
		if n.Content[i].Value == Auto {
			return true
		}
	}
	return false
}

// auto reads an entry whose program is generated.
func (r *reader) auto(under string, n *yaml.Node, e *Entry) {
	r.Keys(n, under, map[string]func(at string, n *yaml.Node){
		Auto: func(at string, n *yaml.Node) {
			m := &SourceModule{file: r.File}
			r.Keys(n, at+".", map[string]func(at string, n *yaml.Node){
				"module": func(at string, n *yaml.Node) { m.Module, m.line = r.module(at, n), n.Line },
				"setup":  func(at string, n *yaml.Node) { m.Setup, m.setupLine = r.setup(at, n), n.Line },
			})
			e.Auto = m
		},
		"kinds": func(at string, n *yaml.Node) { e.Kinds = r.kinds(at, n) },
	})
	if slices.Contains(e.Kinds, "") {
		r.Add(n.Line, strings.TrimSuffix(under, "."), "kinds has an empty name: want Kind or Kind.group, such as Widget.example.dev")
	}
}

// module reads the name of a module, or of a folder, which is relative to that of the program file.
func (r *reader) module(at string, n *yaml.Node) string {
	text := r.variable(at, n, versionVariable)
	if !isFolder(text) || filepath.IsAbs(text) {
		return text
	}
	if text = filepath.Join(filepath.Dir(r.File), text); !isFolder(text) {
		text = "." + string(filepath.Separator) + text
	}
	return text
}

// isFolder reports whether a text names a folder, and not a module.
func isFolder(text string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(text), "/")
	return first == "." || first == ".." || filepath.IsAbs(text)
}

// ParseModule returns the reference of a module, MODULE@VERSION, or of a folder in one, such as ./operator.
func ParseModule(text string) (servers.Reference, error) {
	if isFolder(text) {
		return servers.Reference{Scheme: servers.SchemeSource, Path: text}, nil
	}
	ref, err := servers.ParseReference("module:" + strings.TrimPrefix(text, "module:"))
	if err != nil {
		err = fmt.Errorf("%q: want MODULE@VERSION, such as sigs.k8s.io/kueue@v0.15.0, or a folder in a Go module, such as ./operator", text)
	}
	return ref, err
}

// setup reads the name of a Go file, which is relative to the folder of the program file.
func (r *reader) setup(at string, n *yaml.Node) string {
	text, ok := r.Text(at, n)
	switch {
	case !ok:
		return ""
	case filepath.Ext(text) != ".go":
		r.Add(n.Line, at, "%q: want a Go file of package main with func setup() error, such as setup.go", text)
	case !filepath.IsAbs(text):
		text = filepath.Join(filepath.Dir(r.File), text)
	}
	return text
}

// Reference returns the reference of the module, for a release with that version; false if the module is that of the definitions.
func (m *SourceModule) Reference(version string) (ref servers.Reference, named bool, err error) {
	if m.Module == "" {
		return ref, false, nil
	}
	if ref, err = ParseModule(strings.ReplaceAll(m.Module, versionVariable, version)); err != nil {
		err = Problem{File: m.file, Line: m.line, Path: "auto.module", Text: err.Error()}
	}
	return ref, true, err
}

// check returns what is wrong with the names of the module and of the set-up's file.
func (m *SourceModule) check(version string) error {
	if _, _, err := m.Reference(version); err != nil {
		return err
	}
	if m.Setup == "" {
		return nil
	}
	if _, err := os.Stat(m.Setup); err != nil {
		return m.InvalidSetup(err)
	}
	return nil
}

// InvalidSetup returns the error for a set-up that cannot be used, with its place in the file.
func (m *SourceModule) InvalidSetup(err error) error {
	text := err.Error()
	if cause := (*fs.PathError)(nil); errors.As(err, &cause) {
		text = fmt.Sprintf("%s: %v; want a Go file, found from the folder of this file", m.Setup, cause.Err)
	}
	return Problem{File: m.file, Line: m.setupLine, Path: "auto.setup", Text: text}
}

// describe returns, in words, what is generated for a release with that version.
func (m *SourceModule) describe(version string) string {
	text := "generated from the module of the definitions"
	if m.Module != "" {
		text = "generated from " + strings.ReplaceAll(m.Module, versionVariable, version)
	}
	if m.Setup != "" {
		text += ", set up by " + filepath.Base(m.Setup)
	}
	return text
}
