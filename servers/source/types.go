package source

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
	"strconv"
	"strings"
)

// Read reads the API types of all packages in a folder, which is that of a module, or the part
// of one that has this import path. Packages without a tag are not parsed.
func Read(folder, importPath string) (Facts, error) {
	all := Facts{}
	var borrowed []borrowing
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
		facts, of, err := readPackage(at, path.Join(importPath, filepath.ToSlash(below)))
		all.add(facts)
		borrowed = append(borrowed, of...)
		return err
	})
	if err != nil {
		return Facts{}, fmt.Errorf("source of %s: %w", importPath, err)
	}
	for _, b := range borrowed {
		b.add(all.Fields)
	}
	return all, nil
}

func isNoPackage(name string) bool {
	return name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

// readPackage reads the types of one folder's files.
func readPackage(folder, importPath string) (Facts, []borrowing, error) {
	texts, err := sourceFiles(folder)
	if err != nil || !isTagged(texts) {
		return Facts{}, nil, err
	}
	p := goPackage{
		path: importPath, structs: map[string]*ast.StructType{}, values: map[string]map[string][]string{}, rules: map[string][]Rule{},
		others: map[string]string{},
	}
	for name, text := range texts {
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return Facts{}, nil, err
		}
		p.declare(file)
	}
	return p.facts(), p.borrowed, nil
}

// sourceFiles returns the texts of the files that may declare API types.
func sourceFiles(folder string) (map[string][]byte, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	for _, e := range entries {
		if !isSource(e) {
			continue
		}
		if texts[e.Name()], err = os.ReadFile(filepath.Join(folder, e.Name())); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// isTagged reports whether a package says anything that is read.
func isTagged(texts map[string][]byte) bool {
	for _, text := range texts {
		for _, sign := range []string{marker, rulePrefix, protobufKey} {
			if bytes.Contains(text, []byte(sign)) {
				return true
			}
		}
	}
	return false
}

// isSource reports whether a file may declare API types: generated ones repeat them, and
// are large.
func isSource(e fs.DirEntry) bool {
	name := e.Name()
	return e.Type().IsRegular() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") &&
		!strings.HasPrefix(name, "generated.") && !strings.HasPrefix(name, "zz_generated.") && name != "types_swagger_doc_generated.go"
}

// goPackage is what the files of one package declare.
type goPackage struct {
	path    string
	structs map[string]*ast.StructType
	values  map[string]map[string][]string // gates of the constants of a type, by their texts
	rules   map[string][]Rule              // of types
	broken  []string                       // tags of rules that cannot be parsed
	others  map[string]string              // types that are those of other packages, with their names in OpenAPI

	borrowed []borrowing
}

func (p *goPackage) declare(file *ast.File) {
	imported := imports(file)
	for _, d := range file.Decls {
		general, is := d.(*ast.GenDecl)
		if !is {
			continue
		}
		for _, spec := range general.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				p.declareType(general, spec, imported)
			case *ast.ValueSpec:
				p.constant(general, spec)
			}
		}
	}
}

func (p *goPackage) declareType(of *ast.GenDecl, spec *ast.TypeSpec, imported map[string]string) {
	switch t := spec.Type.(type) {
	case *ast.StructType:
		p.structs[spec.Name.Name] = t
	case *ast.SelectorExpr:
		if at := packageOf(t, imported); at != "" {
			p.others[spec.Name.Name] = definition(at, t.Sel.Name)
		}
	}
	if rules := p.rulesOf(docOf(of, spec.Doc)); len(rules) > 0 {
		p.rules[spec.Name.Name] = rules
	}
}

// rulesOf returns the rules of a comment, and notes what it cannot parse.
func (p *goPackage) rulesOf(comment *ast.CommentGroup) []Rule {
	rules, broken := rulesIn(comment.Text())
	p.broken = append(p.broken, broken...)
	return rules
}

// docOf is the comment of what is declared: that of the declaration, where it declares one
// thing without parentheses.
func docOf(of *ast.GenDecl, own *ast.CommentGroup) *ast.CommentGroup {
	if len(of.Specs) == 1 && of.Lparen == token.NoPos {
		return of.Doc
	}
	return own
}

// constant notes the gates of one value of an enum.
func (p *goPackage) constant(of *ast.GenDecl, spec *ast.ValueSpec) {
	gates := gatesIn(docOf(of, spec.Doc).Text())
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

// facts are those of all types of the package.
func (p *goPackage) facts() Facts {
	all := Facts{Fields: map[string]map[string]Field{}, TypeRules: map[string][]Rule{}}
	for name, rules := range p.rules {
		all.TypeRules[definition(p.path, name)] = rules
	}
	for name, s := range p.structs {
		fields := map[string]Field{}
		p.fields(s, reader{of: definition(p.path, name), into: fields, seen: map[*ast.StructType]bool{}}, "")
		if len(fields) > 0 {
			all.Fields[definition(p.path, name)] = fields
		}
	}
	for name, of := range p.others {
		p.borrowed = append(p.borrowed, borrowing{to: definition(p.path, name), from: of})
	}
	for _, text := range p.broken {
		all.miss("a validation rule of "+p.path, fmt.Errorf("cannot parse %s", text))
	}
	return all
}
