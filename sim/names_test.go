package sim_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
)

// nameless lists the packages whose name says nothing of what they hold.
func nameless(all []source) (problems []string) {
	dirs := map[string]bool{}
	for _, s := range all {
		for dir := s.dir(); dir != "."; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		if slices.Contains([]string{"util", "utils", "common", "helpers", "types"}, path.Base(dir)) {
			problems = append(problems, dir+": a package is named for what it holds")
		}
	}
	return problems
}

// undocumented lists the packages without a doc.go that has a package comment.
func undocumented(all []source) (problems []string) {
	documented := map[string]bool{}
	for _, s := range all {
		// A program of another module, which is built elsewhere, is documented by
		// the package that carries its text.
		if s.isTest() || s.inTest() || s.ignored() || strings.Contains(s.name, "testdata/") {
			continue
		}
		dir := s.dir()
		documented[dir] = documented[dir] || path.Base(s.name) == "doc.go" && s.file.Doc.Text() != ""
	}
	for _, dir := range slices.Sorted(maps.Keys(documented)) {
		if !documented[dir] {
			problems = append(problems, dir+": has no doc.go with a package comment")
		}
	}
	return problems
}

// silent lists the exported names of a file without a comment. A group's own
// comment speaks for its members.
func silent(s source) (problems []string) {
	tell := func(id *ast.Ident, docs ...*ast.CommentGroup) {
		for _, doc := range docs {
			if doc.Text() != "" {
				return
			}
		}
		if id.IsExported() {
			problems = append(problems, fmt.Sprintf("%s:%d: %s has no comment", s.name, s.line(id.Pos()), id.Name))
		}
	}
	for _, decl := range s.file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if receiverExported(d) && !interfaceMember(d.Name.Name) {
				tell(d.Name, d.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				silentSpec(d, spec, tell)
			}
		}
	}
	return problems
}

func silentSpec(d *ast.GenDecl, spec ast.Spec, tell func(*ast.Ident, ...*ast.CommentGroup)) {
	switch sp := spec.(type) {
	case *ast.TypeSpec:
		tell(sp.Name, sp.Doc, d.Doc)
	case *ast.ValueSpec:
		for _, name := range sp.Names {
			tell(name, sp.Doc, sp.Comment, d.Doc)
		}
	}
}

// interfaceMember reports whether the name is a method of an interface of errors, fmt or
// sort, which documents it.
func interfaceMember(name string) bool {
	return slices.Contains([]string{"Unwrap", "String", "Len", "Less", "Swap"}, name)
}

func receiverExported(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	of := d.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		case *ast.Ident:
			return token.IsExported(t.Name)
		default:
			return false
		}
	}
}

// TestNamesAndComments holds that every package and every exported name says
// what it is.
func TestNamesAndComments(t *testing.T) {
	all := sources(t, repository())
	problems := append(nameless(all), undocumented(all)...)
	for _, s := range all {
		if !s.isTest() && !s.inTest() {
			problems = append(problems, silent(s)...)
		}
	}
	for _, problem := range problems {
		t.Error(problem)
	}
}

func TestNamesAndCommentsCanFail(t *testing.T) {
	all := sources(t, fstest.MapFS{
		"good/doc.go":        {Data: []byte("// Package good is good.\npackage good\n")},
		"bare/doc.go":        {Data: []byte("package bare\n")},
		"elsewhere/x.go":     {Data: []byte("// Package elsewhere is.\npackage elsewhere\n")},
		"sim/util/doc.go":    {Data: []byte("// Package util is.\npackage util\n")},
		"types/x/doc.go":     {Data: []byte("// Package x is.\npackage x\n")},
		"only/x_test.go":     {Data: []byte("package only\n")},
		"good/testdata/x.go": {Data: []byte("package x\n")},
	})
	assert.Equal(t, []string{"bare: has no doc.go with a package comment", "elsewhere: has no doc.go with a package comment"}, undocumented(all))
	assert.Equal(t, []string{"sim/util: a package is named for what it holds", "types: a package is named for what it holds"}, nameless(all))
	const text = `package x
func F() {}
// G is.
func G() {}
type T struct{}
func (T) M() {}
func (*T) Unwrap() error { return nil }
func (t) N() {}
type t struct{}
const C = 1
// The rest.
const (
	D = 1
	E = 2
)
var (
	V = 1
	W = 2 // W is.
)
`
	var want []string
	for _, missing := range []string{"2: F", "5: T", "6: M", "10: C", "17: V"} {
		want = append(want, "x.go:"+missing+" has no comment")
	}
	assert.Equal(t, want, silent(parse(t, "x.go", text)))
}
