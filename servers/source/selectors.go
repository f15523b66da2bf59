package source

import (
	"errors"
	"fmt"
	"go/ast"
	"path"
	"slices"
)

// readSelectors reads the field labels that versions of kinds have:
// scheme.AddFieldLabelConversionFunc(SchemeGroupVersion.WithKind("Pod"), func(label, value string) ...).
func readSelectors(t tree, into *Facts) error {
	files, err := t.glob(groupsFolder + "/*/*/conversion.go")
	if err != nil {
		return err
	}
	into.FieldSelectors = map[string][]string{}
	var failed []error
	for _, name := range files {
		if err := t.selectors(name, into.FieldSelectors); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", name, err))
		}
	}
	return errors.Join(failed...)
}

// selectors adds the field labels of one version of a group.
func (t tree) selectors(name string, into map[string][]string) error {
	file, err := t.parse(name)
	if err != nil {
		return err
	}
	for _, d := range file.Decls {
		f, is := d.(*ast.FuncDecl)
		if !is || f.Body == nil {
			continue
		}
		labels, err := labelsIn(f)
		if err != nil {
			return err
		}
		for kind, all := range labels {
			group, err := t.group(serverModule + "/" + path.Dir(name))
			if err != nil {
				return err
			}
			into[path.Join(group, path.Base(path.Dir(name)), kind)] = all
		}
	}
	return nil
}

// labelsIn returns the labels of the kinds for which a function adds conversions.
func labelsIn(f *ast.FuncDecl) (all map[string][]string, err error) {
	all = map[string][]string{}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is || called(call) != "AddFieldLabelConversionFunc" || len(call.Args) != 2 {
			return true
		}
		kinds, labels := kindsOf(f, call.Args[0]), labelsOf(f, call.Args[1])
		if len(kinds) == 0 || len(labels) == 0 {
			err = errors.Join(err, fmt.Errorf("%s: the kind or the labels are not written as strings", f.Name.Name))
		}
		for _, kind := range kinds {
			all[kind] = labels
		}
		return true
	})
	return all, err
}

// kindsOf returns the kinds in WithKind("Pod"), or WithKind(kind) in a loop over strings.
func kindsOf(f *ast.FuncDecl, e ast.Expr) []string {
	if _, kind, is := method(e, "WithKind"); is {
		return []string{kind}
	}
	call, is := e.(*ast.CallExpr)
	if !is || called(call) != "WithKind" || len(call.Args) != 1 {
		return nil
	}
	id, is := call.Args[0].(*ast.Ident)
	if !is {
		return nil
	}
	return stringsOver(f, id.Name)
}

// stringsOver returns the strings that a loop assigns to a variable, directly or through
// another one.
func stringsOver(f *ast.FuncDecl, name string) (all []string) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if from, is := copied(n, name); is {
			all = append(all, stringsOver(f, from)...)
		}
		loop, is := n.(*ast.RangeStmt)
		if !is {
			return true
		}
		value, isName := loop.Value.(*ast.Ident)
		list, isList := loop.X.(*ast.CompositeLit)
		if isName && isList && value.Name == name {
			for _, e := range list.Elts {
				if text, is := stringOf(e); is {
					all = append(all, text)
				}
			}
		}
		return true
	})
	return all
}

// copied returns the variable that an assignment copies to another: kind := k.
func copied(n ast.Node, to string) (from string, is bool) {
	assigned, is := n.(*ast.AssignStmt)
	if !is || len(assigned.Lhs) != 1 || len(assigned.Rhs) != 1 {
		return "", false
	}
	left, isName := assigned.Lhs[0].(*ast.Ident)
	right, isOther := assigned.Rhs[0].(*ast.Ident)
	if !isName || !isOther || left.Name != to || right.Name == to {
		return "", false
	}
	return right.Name, true
}

// labelsOf returns the labels that a conversion accepts: those of its cases, and the keys of a
// map of strings that its function declares.
func labelsOf(f *ast.FuncDecl, conversion ast.Expr) []string {
	all := map[string]bool{}
	uses := map[string]bool{}
	ast.Inspect(conversion, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CaseClause:
			for _, e := range n.List {
				if text, is := stringOf(e); is {
					all[text] = true
				}
			}
		case *ast.IndexExpr:
			if id, is := n.X.(*ast.Ident); is {
				uses[id.Name] = true
			}
		}
		return true
	})
	for name := range uses {
		for _, key := range mapKeys(f, name) {
			all[key] = true
		}
	}
	var sorted []string
	for label := range all {
		sorted = append(sorted, label)
	}
	slices.Sort(sorted)
	return sorted
}

// mapKeys returns the string keys of a map that a function declares.
func mapKeys(f *ast.FuncDecl, name string) (keys []string) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		assigned, is := n.(*ast.AssignStmt)
		if !is || len(assigned.Lhs) != 1 || len(assigned.Rhs) != 1 {
			return true
		}
		id, isName := assigned.Lhs[0].(*ast.Ident)
		literal, isMap := assigned.Rhs[0].(*ast.CompositeLit)
		if !isName || !isMap || id.Name != name {
			return true
		}
		for _, e := range literal.Elts {
			if pair, is := e.(*ast.KeyValueExpr); is {
				if text, is := stringOf(pair.Key); is {
					keys = append(keys, text)
				}
			}
		}
		return true
	})
	return keys
}
