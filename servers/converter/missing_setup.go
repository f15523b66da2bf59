package converter

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/servers"
)

// missingSetups returns what the conversions of a package answer while they are not set up: a variable is a function whose
// only statement returns an error that names the variable, and an exported function sets it. An error that
// merely says that something is not set may be of an object.
func missingSetups(files []source) (all []servers.MissingSetup) {
	texts := map[string]string{} // by variable
	for _, file := range files {
		for _, d := range file.Decls {
			if d, is := d.(*ast.GenDecl); is && d.Tok == token.VAR {
				for _, spec := range d.Specs {
					addErrors(spec.(*ast.ValueSpec), texts)
				}
			}
		}
	}
	for _, file := range files {
		for _, d := range file.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || f.Recv != nil || !f.Name.IsExported() || f.Body == nil {
				continue
			}
			for _, name := range assigned(f.Body) {
				if text := texts[name]; text != "" {
					all = append(all, servers.MissingSetup{Text: text, Setter: file.of + "." + f.Name.Name})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b servers.MissingSetup) int { return strings.Compare(a.Setter, b.Setter) })
	return all
}

// addErrors adds the errors of variables that are functions which only return one, by variable.
func addErrors(spec *ast.ValueSpec, texts map[string]string) {
	for i, value := range spec.Values {
		f, is := value.(*ast.FuncLit)
		if !is || i >= len(spec.Names) || len(f.Body.List) != 1 {
			continue
		}
		back, is := f.Body.List[0].(*ast.ReturnStmt)
		if !is || len(back.Results) == 0 {
			continue
		}
		name, text := spec.Names[i].Name, newError(back.Results[len(back.Results)-1])
		if strings.Contains(strings.ToLower(text), strings.ToLower(name)) {
			texts[name] = text
		}
	}
}

// newError returns the text of errors.New("...") and fmt.Errorf("..."); "" for other expressions, and for a text
// with variables.
func newError(e ast.Expr) string {
	call, is := e.(*ast.CallExpr)
	if !is || len(call.Args) != 1 {
		return ""
	}
	of, is := call.Fun.(*ast.SelectorExpr)
	literal, isLiteral := call.Args[0].(*ast.BasicLit)
	if !is || !isLiteral || literal.Kind != token.STRING || of.Sel.Name != "New" && of.Sel.Name != "Errorf" {
		return ""
	}
	text, err := strconv.Unquote(literal.Value)
	if err != nil || strings.Contains(text, "%") {
		return ""
	}
	return text
}

// assigned returns the names that a block sets itself.
func assigned(block *ast.BlockStmt) (names []string) {
	ast.Inspect(block, func(n ast.Node) bool {
		if a, is := n.(*ast.AssignStmt); is && a.Tok == token.ASSIGN {
			for _, to := range a.Lhs {
				if name, is := to.(*ast.Ident); is {
					names = append(names, name.Name)
				}
			}
		}
		return true
	})
	return names
}
