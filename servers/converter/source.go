package converter

import (
	"go/ast"
	"go/printer"
	"go/token"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// source is a parsed file of a package.
type source struct {
	*ast.File
	set     *token.FileSet
	of      string            // the import path of its package
	imports map[string]string // import paths by the name that the file uses
}

func newSource(set *token.FileSet, file *ast.File, importPath string) source {
	s := source{File: file, set: set, of: importPath, imports: map[string]string{}}
	for _, i := range file.Imports {
		imported, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		name := nameOf(imported)
		if i.Name != nil {
			name = i.Name.Name
		}
		s.imports[name] = imported
	}
	return s
}

// majorVersion matches the last element of the path of a module from v2 on.
var majorVersion = regexp.MustCompile(`^v[2-9][0-9]*$`)

// nameOf returns the name that a package most likely has: that of its folder. A folder v2 may be of a package v2, or the
// root of a module, whose package has the name before it; API packages are more frequent.
func nameOf(importPath string) string {
	name := path.Base(importPath)
	if above := path.Base(path.Dir(importPath)); majorVersion.MatchString(name) && strings.Count(importPath, "/") <= 3 && !strings.HasPrefix(above, "api") {
		return above
	}
	return strings.ReplaceAll(name, "-", "_")
}

// typeOf returns the type that an expression names; false if it names none of a package.
func (s source) typeOf(e ast.Expr) (Type, bool) {
	switch e := e.(type) {
	case *ast.Ident:
		return Type{s.of, e.Name}, ast.IsExported(e.Name)
	case *ast.SelectorExpr:
		if of, is := e.X.(*ast.Ident); is {
			return Type{s.imports[of.Name], e.Sel.Name}, s.imports[of.Name] != ""
		}
	}
	return Type{}, false
}

// pointerTo returns the type of &T{} and new(T); false for other expressions.
func (s source) pointerTo(e ast.Expr) (Type, bool) {
	switch e := e.(type) {
	case *ast.UnaryExpr:
		if literal, is := e.X.(*ast.CompositeLit); is && e.Op == token.AND && literal.Type != nil {
			return s.typeOf(literal.Type)
		}
	case *ast.CallExpr:
		if of, is := e.Fun.(*ast.Ident); is && of.Name == "new" && len(e.Args) == 1 {
			return s.typeOf(e.Args[0])
		}
	}
	return Type{}, false
}

// calls reports whether a call is of a function of a package whose import path ends so.
func (s source) calls(call *ast.CallExpr, importSuffix, function string) bool {
	fun := call.Fun
	switch generic := fun.(type) { // with type arguments
	case *ast.IndexExpr:
		fun = generic.X
	case *ast.IndexListExpr:
		fun = generic.X
	}
	of, is := s.typeOf(fun)
	return is && of.Name == function && strings.HasSuffix(of.Package, importSuffix)
}

// text returns the source of an expression.
func (s source) text(e ast.Node) string {
	var text strings.Builder
	if err := printer.Fprint(&text, s.set, e); err != nil {
		return ""
	}
	return text.String()
}

// at returns the place of a node, as FILE:LINE of the package.
func (s source) at(n ast.Node) string {
	p := s.set.Position(n.Pos())
	return path.Join(s.of, p.Filename) + ":" + strconv.Itoa(p.Line)
}
