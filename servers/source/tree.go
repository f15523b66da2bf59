package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// tree is the source of a server: the folders of modules by import path.
type tree struct {
	modules map[string]string
	version string                       // of the server's module; "": a checkout
	strings map[string]map[string]string // constants of packages that were read, by import path
}

func newTree(modules []Module) tree {
	t := tree{modules: map[string]string{}, strings: map[string]map[string]string{}}
	for _, m := range modules {
		t.modules[m.Path] = m.Folder
		if m.Path == serverModule {
			t.version = m.Version
		}
	}
	return t
}

// folder returns the folder of a package.
func (t tree) folder(importPath string) (string, error) {
	for at := importPath; at != "."; at = path.Dir(at) {
		if folder, has := t.modules[at]; has {
			return filepath.Join(folder, filepath.FromSlash(strings.TrimPrefix(importPath, at))), nil
		}
	}
	return "", fmt.Errorf("%s: no module of the release has the package", importPath)
}

// file returns a file of the server's module by its path in it, with errors that name the
// path alone.
func (t tree) file(name string) ([]byte, error) {
	text, err := os.ReadFile(t.at(name))
	if os.IsNotExist(err) {
		return nil, fmt.Errorf("%s: the release does not have the file", name)
	}
	return text, err
}

// at returns where a path of the server's module is.
func (t tree) at(name string) string {
	return filepath.Join(t.modules[serverModule], filepath.FromSlash(name))
}

// parse returns a Go file of the server's module.
func (t tree) parse(name string) (*ast.File, error) {
	text, err := t.file(name)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return file, nil
}

// constant returns the text of a string constant or variable of a package.
func (t tree) constant(importPath, name string) (string, error) {
	if t.strings[importPath] == nil {
		all, err := t.constants(importPath)
		if err != nil {
			return "", err
		}
		t.strings[importPath] = all
	}
	text, has := t.strings[importPath][name]
	if !has {
		return "", fmt.Errorf("%s: no text is assigned to %s", importPath, name)
	}
	return text, nil
}

// constants returns the string constants and variables that the files of a package declare
// with a literal.
func (t tree) constants(importPath string) (map[string]string, error) {
	folder, err := t.folder(importPath)
	if err != nil {
		return nil, err
	}
	texts, err := sourceFiles(folder)
	if err != nil {
		return nil, fmt.Errorf("%s: the release does not have the package", importPath)
	}
	all := map[string]string{}
	for name, text := range texts {
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", importPath, err)
		}
		for _, d := range file.Decls {
			literals(d, all)
		}
	}
	return all, nil
}

// literals adds the strings that one declaration names.
func literals(d ast.Decl, into map[string]string) {
	general, is := d.(*ast.GenDecl)
	if !is {
		return
	}
	for _, spec := range general.Specs {
		values, is := spec.(*ast.ValueSpec)
		if !is || len(values.Values) != len(values.Names) {
			continue
		}
		for i, name := range values.Names {
			if text, is := stringOf(values.Values[i]); is {
				into[name.Name] = text
			}
		}
	}
}

// stringOf returns the text of a string literal.
func stringOf(e ast.Expr) (string, bool) {
	literal, is := e.(*ast.BasicLit)
	if !is || literal.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(literal.Value)
	return text, err == nil
}

// imports returns the import paths of a file by the names that it uses for them.
func imports(file *ast.File) map[string]string {
	all := map[string]string{}
	for _, i := range file.Imports {
		at, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(at)
		if i.Name != nil {
			name = i.Name.Name
		}
		all[name] = at
	}
	return all
}

// named returns the text of an expression that names a constant: of the package here, or of an
// imported one.
func (t tree) named(e ast.Expr, here string, imported map[string]string) (string, error) {
	switch e := e.(type) {
	case *ast.Ident:
		return t.constant(here, e.Name)
	case *ast.SelectorExpr:
		if pkg, is := e.X.(*ast.Ident); is && imported[pkg.Name] != "" {
			return t.constant(imported[pkg.Name], e.Sel.Name)
		}
	case *ast.BasicLit:
		if text, is := stringOf(e); is {
			return text, nil
		}
	}
	return "", fmt.Errorf("%s: an expression names no constant", here)
}

// variable returns the composite literal that is assigned to a variable, anywhere in a file.
func variable(file *ast.File, name string) *ast.CompositeLit {
	var found *ast.CompositeLit
	note := func(names, values []ast.Expr) {
		for i, n := range names {
			id, is := n.(*ast.Ident)
			if !is || id.Name != name || i >= len(values) {
				continue
			}
			if literal, is := values[i].(*ast.CompositeLit); is {
				found = literal
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			note(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			var names []ast.Expr
			for _, id := range n.Names {
				names = append(names, id)
			}
			note(names, n.Values)
		}
		return found == nil
	})
	return found
}
