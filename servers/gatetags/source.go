package gatetags

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// Read reads the tags of all packages in a folder, which is that of a module, or the part
// of one that has this import path. Packages without a tag are not parsed.
func Read(folder, importPath string) (Tags, error) {
	all := Tags{}
	err := filepath.WalkDir(folder, func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return err
		case at != folder && isNoPackage(d.Name()):
			return filepath.SkipDir
		}
		below, err := filepath.Rel(folder, at)
		if err != nil {
			return err
		}
		tags, err := readPackage(at, path.Join(importPath, filepath.ToSlash(below)))
		all.add(tags)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("gates of %s: %w", importPath, err)
	}
	return all, nil
}

func isNoPackage(name string) bool {
	return name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

// readPackage reads the tags of one folder's files.
func readPackage(folder, importPath string) (Tags, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	tagged := false
	for _, e := range entries {
		if !isSource(e) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		texts[e.Name()] = text
		tagged = tagged || bytes.Contains(text, []byte(marker))
	}
	if !tagged {
		return nil, nil
	}
	p := goPackage{path: importPath, structs: map[string]*ast.StructType{}, values: map[string]map[string][]string{}}
	for name, text := range texts {
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.declare(file)
	}
	return p.tags(), nil
}

// isSource reports whether a file may declare API types: generated ones repeat them, and
// are large.
func isSource(e fs.DirEntry) bool {
	name := e.Name()
	return e.Type().IsRegular() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") &&
		!strings.HasPrefix(name, "generated.") && !strings.HasPrefix(name, "zz_generated.")
}

// goPackage is what the files of one package declare.
type goPackage struct {
	path    string
	structs map[string]*ast.StructType
	values  map[string]map[string][]string // gates of the constants of a type, by their texts
}

func (p goPackage) declare(file *ast.File) {
	for _, d := range file.Decls {
		general, is := d.(*ast.GenDecl)
		if !is {
			continue
		}
		for _, spec := range general.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if s, is := spec.Type.(*ast.StructType); is {
					p.structs[spec.Name.Name] = s
				}
			case *ast.ValueSpec:
				p.constant(general, spec)
			}
		}
	}
}

// constant notes the gates of one value of an enum.
func (p goPackage) constant(of *ast.GenDecl, spec *ast.ValueSpec) {
	gates := gatesIn(spec.Doc.Text())
	if len(of.Specs) == 1 && of.Lparen == token.NoPos {
		gates = gatesIn(of.Doc.Text())
	}
	typ, named := spec.Type.(*ast.Ident)
	if of.Tok != token.CONST || len(gates) == 0 || !named || len(spec.Values) != 1 {
		return
	}
	literal, is := spec.Values[0].(*ast.BasicLit)
	if !is || literal.Kind != token.STRING {
		return
	}
	if text, err := strconv.Unquote(literal.Value); err == nil {
		if p.values[typ.Name] == nil {
			p.values[typ.Name] = map[string][]string{}
		}
		p.values[typ.Name][text] = gates
	}
}

// tags are those of all types of the package.
func (p goPackage) tags() Tags {
	all := Tags{}
	for name, s := range p.structs {
		fields := map[string]Tag{}
		p.fields(s, fields, map[*ast.StructType]bool{})
		if len(fields) > 0 {
			all[definition(p.path, name)] = fields
		}
	}
	return all
}

// fields adds the tagged fields of a struct. Those of what is embedded are published as
// its own.
func (p goPackage) fields(s *ast.StructType, into map[string]Tag, seen map[*ast.StructType]bool) {
	if seen[s] {
		return
	}
	seen[s] = true
	for _, f := range s.Fields.List {
		name, inline := jsonName(f)
		typ := typeName(f.Type)
		if embedded := p.structs[typ]; inline && embedded != nil {
			p.fields(embedded, into, seen)
			continue
		}
		t := Tag{Gates: gatesIn(f.Doc.Text()), Values: p.values[typ]}
		if name != "" && len(t.Gates)+len(t.Values) > 0 {
			into[name] = t
		}
	}
}

// jsonName is a field's name in JSON, and whether its members stand in its place; "": it
// has none.
func jsonName(f *ast.Field) (name string, inline bool) {
	if f.Tag == nil {
		return "", len(f.Names) == 0
	}
	text, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return "", false
	}
	name, options, _ := strings.Cut(reflect.StructTag(text).Get("json"), ",")
	if name == "-" {
		return "", false
	}
	return name, name == "" && (len(f.Names) == 0 || strings.Contains(options, "inline"))
}

// typeName is the name of a type of the same package, or that of its elements; "": it is
// of another package, or has no name.
func typeName(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.StarExpr:
		return typeName(t.X)
	case *ast.ArrayType:
		return typeName(t.Elt)
	}
	return ""
}
